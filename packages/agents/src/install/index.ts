export { ensureProgram } from "./ensure-program.ts";
export type { InstallStep } from "./install-failure.ts";
export { type InstalledArtifact, type InstallOptions, type InstallResult, installProgram } from "./install-program.ts";
export type { InstallProgress, OnInstallProgress } from "./install-progress.ts";
