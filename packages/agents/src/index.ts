export * from "./agent.ts";
export * from "./process/agent-process.ts";
export * from "./registry.ts";
