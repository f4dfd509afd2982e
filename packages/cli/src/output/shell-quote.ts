/** The text as one word for a shell, quoted only where it must be. */
export function shellQuote(text: string): string {
  return /^[\w.@%+:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
