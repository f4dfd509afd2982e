/** Filled in by the build. */
declare const SANDBOX_AGENT_VERSION: string | undefined;

export const version = typeof SANDBOX_AGENT_VERSION === "string" ? SANDBOX_AGENT_VERSION : "0.0.0-source";
