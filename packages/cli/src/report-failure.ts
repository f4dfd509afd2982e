import { type ProblemDetails, SandboxError } from "@sandbox-agent-ts/protocol";
import { DaemonFailure } from "./daemon-failure.ts";
import { exitCode } from "./exit-code.ts";
import { type Paint, paintNothing } from "./output/terminal.ts";
import { withoutControls } from "./output/text-width.ts";
import { wrapWords } from "./output/wrap-words.ts";
import { UsageError } from "./usage-error.ts";

export interface FailureReport {
  readonly write: (text: string) => unknown;
  /** People get a sentence, programs the whole problem document. */
  readonly isForPeople: boolean;
  readonly paint?: Paint;
  /** How wide a line for people may be. */
  readonly columns?: number;
}

/** Say on stderr what went wrong; answers the exit code. */
export function reportFailure(error: unknown, report: FailureReport): number {
  const { write, isForPeople, paint = paintNothing, columns = Number.POSITIVE_INFINITY } = report;
  const isUsage = error instanceof UsageError;
  if (isForPeople) {
    const [first, ...rest] = wrapWords(`Error: ${sentenceOf(error)}`, columns);
    write(`${[first!.replace("Error:", paint("red", "Error:")), ...rest].join("\n")}\n`);
    if (error instanceof DaemonFailure) write(`${paint("dim", `The daemon is ${error.place}.`)}\n`);
  } else write(isUsage ? `${error.message}\n` : `${JSON.stringify(problemOf(error), null, 2)}\n`);
  return isUsage ? exitCode.usage : exitCode.failure;
}

export function problemOf(error: unknown): Partial<ProblemDetails> {
  if (error instanceof SandboxError) return error.toProblem();
  if (error instanceof DaemonFailure) return problemOf(error.cause);
  if (hasProblem(error)) return error.problem;
  return new SandboxError("internal_error", error instanceof Error ? error.message : String(error)).toProblem();
}

/** The SDK's error, recognised by its shape so that the SDK is not loaded for it. */
function hasProblem(error: unknown): error is { problem: ProblemDetails } {
  return typeof error === "object" && error !== null && "problem" in error && typeof error.problem === "object";
}

function sentenceOf(error: unknown): string {
  const problem = error instanceof UsageError ? { detail: error.message } : problemOf(error);
  return withoutControls(inWordsOfTheCli(problem.detail ?? problem.title ?? "Something went wrong."));
}

/** The daemon speaks of HTTP to its clients; on the command line the same things are flags. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bPass (\w+)=true\b/g, "Pass --$1"],
  [/Send it as `Authorization: Bearer <token>`\./g, "Pass it with --token, or as SANDBOX_AGENT_TOKEN."],
];

function inWordsOfTheCli(sentence: string): string {
  return words.reduce((text, [api, cli]) => text.replace(api, cli), sentence);
}
