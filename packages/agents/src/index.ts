export * from "./agent.ts";
export * from "./process/agent-process.ts";
export type { ReapedProcess } from "./process/orphans.ts";
export { processStartTime } from "./process/process-start-time.ts";
export { createSupervisor, type Supervisor, type SupervisorOptions } from "./process/supervisor.ts";
export * from "./registry.ts";
