/** Which process is meant by a pid or a lock. A start loads this and nothing else of the package. */
export { readRegularTextSync } from "../files/read-regular-file.ts";
export { parseHolder } from "./lock-holder.ts";
export { heirPath, tryProcessLock } from "./process-lock.ts";
export { processStartTime } from "./process-start-time.ts";
