import { SandboxError, type SandboxErrorContext } from "@sandbox-agent-ts/protocol";

/** Whatever was thrown, as the one error type, knowing where it happened. */
export function asSandboxError(error: unknown, context: SandboxErrorContext): SandboxError {
  if (error instanceof SandboxError) {
    const { agent = context.agent, sessionId = context.sessionId, details } = error;
    return new SandboxError(error.code, error.message, { agent, sessionId, details, cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new SandboxError("internal_error", message, { ...context, cause: error });
}
