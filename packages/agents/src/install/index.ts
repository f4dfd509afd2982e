export { ensureProgram } from "./ensure-program.ts";
export { type InstallOptions, installProgram } from "./install-program.ts";
