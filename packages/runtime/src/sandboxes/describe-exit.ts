import { constants } from "node:os";

/** How a daemon ended, from what a shell says of it: its exit code, or 128 and the number of a signal. */
export function describeExit(status: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
  return signal === undefined ? `The daemon ended with exit code ${status}.` : `The daemon was ended by ${signal}.`;
}
