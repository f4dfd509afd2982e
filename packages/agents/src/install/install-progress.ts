import type { InstallStep } from "./install-failure.ts";

/**
 * What an installation does right now. Emitted when a step begins and, where bytes are counted, with every piece of them:
 * hundreds of times a second, so a listener draws at its own pace. It must not throw.
 */
export interface InstallProgress {
  /** The program that is being installed: the one asked for, or one that it needs. */
  readonly program: string;
  readonly version: string;
  /** `wait`: another process installs the same program. */
  readonly step: InstallStep | "wait";
  /** The package it is about, as `name@version`, for the steps that have one. */
  readonly package?: string;
  /** Downloaded or unpacked of this package so far; begins at 0 again when a download is tried again. */
  readonly bytes?: number;
  /** Of which there will be so many, where that is known. */
  readonly total?: number;
}

export type OnInstallProgress = (progress: InstallProgress) => void;

/** One step's part of the report: the program and the package are filled in by the caller. */
export type OnStep = (progress: Omit<InstallProgress, "program" | "version" | "package">) => void;
