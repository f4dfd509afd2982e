import { constants } from "node:os";

export const exitCode = { ok: 0, failure: 1, usage: 2 } as const;

/** What a shell reports for a program that a signal ended. */
export const signalExitCode = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
