export * from "./agent.ts";
export * from "./install/agent-program.ts";
export { cacheDirectory } from "./install/cache-directory.ts";
export { locateProgram, probeProgram, requireProgram } from "./install/locate-program.ts";
export { loginCommand, signedInProgram, signInAdvice } from "./install/sign-in-advice.ts";
export * from "./process/agent-process.ts";
export type { ReapedProcess } from "./process/orphans.ts";
export { createSupervisor, type Supervisor, type SupervisorOptions } from "./process/supervisor.ts";
export * from "./registry.ts";
