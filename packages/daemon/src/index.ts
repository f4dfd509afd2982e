export { startDaemon } from "./daemon.ts";
export * from "./daemon-options.ts";
export type { UiSource } from "./http/ui/ui-source.ts";
export { textOfJsonLog } from "./text-log.ts";
