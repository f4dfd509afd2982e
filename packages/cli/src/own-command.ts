import { isSea } from "node:sea";

/** What to spawn to run this very program again; its own arguments come behind. */
export function ownCommand(): readonly [command: string, ...args: string[]] {
  return isSea() ? [process.execPath] : [process.execPath, process.argv[1] ?? ""];
}
