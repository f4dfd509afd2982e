export { startDaemon } from "./daemon.ts";
export * from "./daemon-options.ts";
