import { z } from "zod";

function isRegex({ regex, flags }: { regex: string; flags?: string | undefined }): boolean {
  try {
    new RegExp(regex, flags);
    return true;
  } catch {
    return false;
  }
}

export const Expression = z.union([
  z.instanceof(RegExp),
  z
    .strictObject({ regex: z.string().min(1), flags: z.string().optional() })
    .refine(isRegex, "is not a valid regular expression"),
]);
export type Expression = z.infer<typeof Expression>;

/** A text to look for: a string is found as it stands, `{ "regex": "…" }` (or a RegExp in code) is an expression. */
export const Pattern = z.union([z.string().min(1), Expression]);
export type Pattern = z.infer<typeof Pattern>;

export const Patterns = z.union([Pattern, z.array(Pattern).min(1)]);
export type Patterns = z.infer<typeof Patterns>;

/** A fresh expression each time, so that the state of a sticky or global one never leaks. */
export function toRegExp(pattern: Expression): RegExp {
  return pattern instanceof RegExp
    ? new RegExp(pattern.source, pattern.flags)
    : new RegExp(pattern.regex, pattern.flags);
}

export function finds(pattern: Pattern, text: string): boolean {
  return typeof pattern === "string" ? text.includes(pattern) : toRegExp(pattern).test(text);
}

export function patternList(patterns: Patterns | undefined): readonly Pattern[] {
  if (patterns === undefined) return [];
  return Array.isArray(patterns) ? patterns : [patterns];
}

export function describePattern(pattern: Pattern): string {
  return typeof pattern === "string" ? JSON.stringify(pattern) : String(toRegExp(pattern));
}
