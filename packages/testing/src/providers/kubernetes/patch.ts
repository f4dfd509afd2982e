import { Refusal } from "./status.ts";

interface JsonPatchStep {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** An object as a patch wants it, by the kind of patch that its content type names. */
export function patched<T>(object: T, contentType: string, patch: unknown): T {
  const copy = structuredClone(object);
  if (contentType.startsWith("application/json-patch+json")) return jsonPatched(copy, patch as JsonPatchStep[]);
  if (/^application\/(strategic-)?merge-patch\+json/.test(contentType)) return mergePatched(copy, patch) as T;
  throw new Refusal(415, `the body of the request was in an unknown format: ${contentType}`, "UnsupportedMediaType");
}

function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? target : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatched(result[key], value);
  }
  return result;
}

function jsonPatched<T>(target: T, steps: readonly JsonPatchStep[]): T {
  for (const { op, path, value } of steps) {
    const keys = path
      .split("/")
      .slice(1)
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop()!;
    let place: unknown = target;
    for (const key of keys) place = (place as Record<string, unknown> | undefined)?.[key];
    if (!isObject(place) || (op !== "add" && !(last in place)))
      throw new Refusal(422, `the server rejected our request: nothing is at ${path}`);
    if (op === "remove") delete place[last];
    else if (op === "add" || op === "replace") place[last] = value;
    else throw new Refusal(422, `the server rejected our request: unknown operation ${op}`);
  }
  return target;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
