import { type ErrorCode, errorCodes, errorTypePrefix } from "./error-codes.ts";
import type { AgentError, ProblemDetails } from "./problem.ts";

export interface SandboxErrorContext {
  agent?: string | undefined;
  sessionId?: string | undefined;
  details?: unknown;
  cause?: unknown;
}

/** The one error type of the project: the HTTP layer, the CLI and the `AgentError` of responses are made from it. */
export class SandboxError extends Error {
  readonly code: ErrorCode;
  readonly agent: string | undefined;
  readonly sessionId: string | undefined;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, context: SandboxErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = "SandboxError";
    this.code = code;
    this.agent = context.agent;
    this.sessionId = context.sessionId;
    this.details = context.details;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }

  toProblem(instance?: string): ProblemDetails {
    const { status, title } = errorCodes[this.code];
    return {
      type: `${errorTypePrefix}${this.code}`,
      title,
      status,
      detail: this.message,
      ...(instance === undefined ? {} : { instance }),
      ...(this.agent === undefined ? {} : { agent: this.agent }),
      ...(this.sessionId === undefined ? {} : { sessionId: this.sessionId }),
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }

  toAgentError(): AgentError {
    return {
      type: this.code,
      message: this.message,
      ...(this.agent === undefined ? {} : { agent: this.agent }),
      ...(this.sessionId === undefined ? {} : { session_id: this.sessionId }),
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}
