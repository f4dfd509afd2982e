import { SandboxAgentError } from "../sandbox-agent-error.ts";

type QueryValue = string | number | boolean;
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | null | undefined>>;

/** A path whose values are encoded: `` path`/v1/sessions/${id}` ``. */
export function path(literals: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: literals }, ...values.map(encodeSegment));
}

export function buildUrl(baseUrl: string, pathname: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return `${baseUrl.replace(/\/+$/, "")}${pathname}${search.size > 0 ? `?${search}` : ""}`;
}

/** URL parsers fold `.` and `..` away even when they are encoded, so that such an id would address another route. */
function encodeSegment(value: string): string {
  if (value !== "" && value !== "." && value !== "..") return encodeURIComponent(value);
  throw new SandboxAgentError(400, {
    type: "urn:sandbox-agent:error:invalid_request",
    title: "Invalid request",
    status: 400,
    detail: `"${value}" cannot be an id. Give one that is not empty, "." or "..".`,
  });
}
