import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { z } from "zod";
import { type ParsedScript, ScriptFile } from "./model-script.ts";

/** A script as the server needs it; what is wrong is said with its place, e.g. `steps[2].toolCalls[0].name`. */
export function parseScript(script: unknown): ParsedScript {
  const parsed = ScriptFile.safeParse(Array.isArray(script) ? { steps: script } : script);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap((issue) => placesOf(issue, Array.isArray(script)));
  const lines = issues.map(({ path, message }) => `  ${path}: ${message}`);
  throw new SandboxError("invalid_request", `The model script is wrong:\n${lines.join("\n")}`, { details: { issues } });
}

interface Place {
  readonly path: string;
  readonly message: string;
}

/** A union tells every way in which it did not fit; only the way that got furthest helps the writer. */
function placesOf(issue: z.core.$ZodIssue, isList: boolean, prefix: readonly PropertyKey[] = []): Place[] {
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) {
    return [{ path: pathText(path, isList), message: issue.message }];
  }
  const deepest = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
  if (depthOf(deepest) === 0) {
    const messages = issue.errors.flatMap((ways) => ways.map(({ message }) => message));
    return [{ path: pathText(path, isList), message: [...new Set(messages)].join(" / ") }];
  }
  return deepest.flatMap((inner) => placesOf(inner, isList, path));
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + (issue.code === "unrecognized_keys" ? 1 : 0)));
}

function pathText(path: readonly PropertyKey[], isList: boolean): string {
  const shown = isList && path[0] === "steps" ? path.slice(1) : path;
  const text = shown.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return text.replace(/^\./, "") || "script";
}
