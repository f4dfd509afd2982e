import type { ProblemDetails } from "./api-types.ts";

/**
 * Everything that can go wrong between this SDK and a daemon.
 *
 * With an answer, `status` is its HTTP status and `problem` the body that explains it. Without one (the daemon could not
 * be reached, did not answer in time, did not start) `status` is 0 and `cause` says why.
 */
export class SandboxAgentError extends Error {
  /** The HTTP status, 0 without an answer. */
  readonly status: number;
  /** The body that explains it. */
  declare readonly problem: ProblemDetails | undefined;
  /** The answer itself, whose body is read. */
  declare readonly response: Response | undefined;

  constructor(status: number, problem?: ProblemDetails, response?: Response, message?: string, cause?: unknown) {
    super(message ?? explain(status, problem), cause === undefined ? undefined : { cause });
    this.name = "SandboxAgentError";
    this.status = status;
    // Not enumerable: an error that nobody catches prints its sentence, not everything that is known of it.
    Object.defineProperty(this, "name", { enumerable: false });
    Object.defineProperty(this, "problem", { value: problem });
    Object.defineProperty(this, "response", { value: response });
  }

  /** The last word of `problem.type`, e.g. `session_not_found`. */
  get code(): string | undefined {
    return this.problem?.type.split(":").at(-1);
  }

  /** An error that no response belongs to. */
  static withoutResponse(message: string, cause?: unknown): SandboxAgentError {
    return new SandboxAgentError(0, undefined, undefined, message, cause);
  }
}

/** Make the error of a response that is not a success; a body that is no problem document is not shown. */
export async function errorFromResponse(response: Response): Promise<SandboxAgentError> {
  const text = await response.text().catch(() => "");
  return new SandboxAgentError(response.status, parseProblem(text), response);
}

function explain(status: number, problem: ProblemDetails | undefined): string {
  return problem?.detail ?? problem?.title ?? `The server answered with status ${status}.`;
}

function parseProblem(text: string): ProblemDetails | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isProblem(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is ProblemDetails {
  if (typeof body !== "object" || body === null) return false;
  const { type, title, status } = body as Record<string, unknown>;
  return typeof type === "string" && typeof title === "string" && typeof status === "number";
}
