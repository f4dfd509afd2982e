export * from "./event-chunk.ts";
export * from "./event-log.ts";
export * from "./event-store.ts";
export { FilesStore } from "./files/files-store.ts";
export { isDiskFailure } from "./files/store-failure.ts";
export * from "./log-readers.ts";
export { MemoryStore } from "./memory/memory-store.ts";
export * from "./session-log.ts";
