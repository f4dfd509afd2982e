import type { SandboxProvider } from "./sandbox-provider.ts";

interface Making {
  readonly begunAt: number;
}

const makings = new WeakMap<SandboxProvider, Set<Making>>();

/** Makes a sandbox and takes it down in the store: until then only this process knows of it. */
export async function inTheMaking<T>(provider: SandboxProvider, work: () => Promise<T>): Promise<T> {
  const all = makings.get(provider) ?? new Set();
  makings.set(provider, all);
  const making: Making = { begunAt: Date.now() };
  all.add(making);
  try {
    return await work();
  } finally {
    all.delete(making);
  }
}

/** What was made since then may be one that the store does not know yet. */
export function makingSince(provider: SandboxProvider): number {
  const all = [...(makings.get(provider) ?? [])];
  return Math.min(Date.now(), ...all.map(({ begunAt }) => begunAt));
}
