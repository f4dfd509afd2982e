export type { UiSource } from "@sandbox-agent-ts/server";
export { type CorsOptions, type LogFormat, type LogLevel, logLevels, textOfJsonLog } from "@sandbox-agent-ts/server";
export { startDaemon } from "./daemon.ts";
export * from "./daemon-options.ts";
