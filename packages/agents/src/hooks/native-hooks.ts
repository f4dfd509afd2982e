import type { HookEvent, ProfileHook } from "@sandbox-agent-ts/protocol";

interface NativeMatcher {
  readonly matcher?: string;
  readonly hooks: readonly { readonly type: "command"; readonly command: string; readonly timeout?: number }[];
}

/**
 * A session's hooks in the form that several programs have in their settings: for each of their own names of an event a
 * list of matchers with commands. Events that the program has no name for are left out. Pure.
 */
export function nativeHooks(
  hooks: readonly ProfileHook[] | undefined,
  names: Readonly<Partial<Record<HookEvent, string>>>,
  timeoutUnitMs: number,
): Readonly<Record<string, readonly NativeMatcher[]>> {
  const native: Record<string, NativeMatcher[]> = {};
  for (const { event, matcher, command, timeoutMs } of hooks ?? []) {
    const name = names[event];
    if (name === undefined) continue;
    const timeout = timeoutMs ? { timeout: Math.max(1, Math.round(timeoutMs / timeoutUnitMs)) } : {};
    const entry = { ...(matcher ? { matcher } : {}), hooks: [{ type: "command" as const, command, ...timeout }] };
    native[name] = [...(native[name] ?? []), entry];
  }
  return native;
}
