import { textOf } from "./findings.ts";

/** Seconds since 1970 stay below this until the year 5138; milliseconds passed it in 1973. */
const leastMilliseconds = 1e11;

/** A time as programs write it: milliseconds, seconds, either as text, or a date. Undefined where it is none of them. */
export function timeOf(value: unknown): { expiresAt: number } | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const time = typeof number === "number" && !Number.isNaN(number) ? inMilliseconds(number) : Date.parse(`${value}`);
  return typeof value !== "object" && Number.isFinite(time) && time > 0 ? { expiresAt: time } : undefined;
}

const inMilliseconds = (time: number): number => (time < leastMilliseconds ? time * 1000 : time);

/** What a token of three parts says about itself; nothing where it is another kind. Nobody checks whether it is genuine. */
export function claimsOf(token: unknown): Readonly<Record<string, unknown>> {
  const [, payload] = textOf(token)?.split(".", 3) ?? [];
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload ?? "", "base64url").toString("utf8"));
    return typeof claims === "object" && claims !== null ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
