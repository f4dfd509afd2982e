import { SandboxError } from "@sandbox-agent-ts/protocol";
import { UsageError } from "../usage-error.ts";

/** What is refused was wrong on the command line. */
export async function blamed<T>(prefix: string, attempt: () => T | Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    throw error instanceof SandboxError ? new UsageError(`${prefix}${error.message}`) : error;
  }
}
