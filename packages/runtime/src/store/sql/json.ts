/** A value as text for the database; nothing stays nothing, which is another thing than `null`. */
export function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function fromJson(text: string | null): unknown {
  return text === null ? undefined : JSON.parse(text);
}
