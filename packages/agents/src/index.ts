export * from "./agent.ts";
export * from "./process/agent-process.ts";
