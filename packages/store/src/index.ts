export * from "./event-chunk.ts";
export * from "./event-log.ts";
export * from "./event-store.ts";
export { descriptorLimit } from "./files/descriptor-limit.ts";
export { FilesStore } from "./files/files-store.ts";
export { ensureFormat } from "./files/format.ts";
export { writeFileAtomic } from "./files/write-file-atomic.ts";
export { MemoryStore } from "./memory/memory-store.ts";
export * from "./session-log.ts";
