import { type ProblemDetails, SandboxError } from "@sandbox-agent-ts/protocol";
import { exitCode } from "./exit-code.ts";
import { UsageError } from "./usage-error.ts";

/** Say on stderr what went wrong, as a problem document unless the command line was wrong; answers the exit code. */
export function reportFailure(error: unknown, write: (text: string) => unknown): number {
  if (error instanceof UsageError) {
    write(`${error.message}\n`);
    return exitCode.usage;
  }
  write(`${JSON.stringify(problemOf(error), null, 2)}\n`);
  return exitCode.failure;
}

function problemOf(error: unknown): Partial<ProblemDetails> {
  if (error instanceof SandboxError) return error.toProblem();
  if (hasProblem(error)) return error.problem;
  return new SandboxError("internal_error", error instanceof Error ? error.message : String(error)).toProblem();
}

/** The SDK's error, recognised by its shape so that the SDK is not loaded for it. */
function hasProblem(error: unknown): error is { problem: ProblemDetails } {
  return typeof error === "object" && error !== null && "problem" in error && typeof error.problem === "object";
}
