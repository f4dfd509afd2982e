const rawLine = /^\{"sequence":(\d+),"raw":(.*)\}$/s;

/** The entries of a raw journal: sequence and JSON text. Lines that are none are passed over. */
export function* parseRawLines(text: string): Generator<[sequence: number, raw: string]> {
  for (const line of text.split("\n")) {
    const match = rawLine.exec(line);
    if (match) yield [Number(match[1]), match[2]!];
  }
}

/** The sequence of a raw line, read from its first bytes. */
export function rawSequenceOf(lineStart: string): number | undefined {
  const match = /^\{"sequence":(\d+),/.exec(lineStart);
  return match ? Number(match[1]) : undefined;
}
