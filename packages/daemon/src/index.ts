export * from "./daemon-options.ts";
