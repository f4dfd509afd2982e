/** What a person settled for the whole session and OpenCode does not keep for it. */
export interface SessionMemory {
  /** Uses allowed with `always`. */
  readonly allowed: ReadonlySet<string>;
}

export function memoryOf({ allowed }: SessionMemory): object {
  return { allowed: [...allowed] };
}

export function readMemory(value: unknown): SessionMemory {
  const { allowed } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const keys = Array.isArray(allowed) ? allowed.filter((key) => typeof key === "string") : [];
  return { allowed: new Set(keys) };
}
