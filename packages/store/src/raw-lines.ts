const start = '{"sequence":';
const middle = ',"raw":';
/** Enough of a line for its number. */
const prefixLength = 40;

/** The entries of a raw journal: sequence and JSON text. Lines that are none are passed over. */
export function* parseRawLines(text: string): Generator<[sequence: number, raw: string]> {
  for (const line of text.split("\n")) {
    const entry = parseRawLine(line);
    if (entry) yield entry;
  }
}

/** One entry; undefined where the line, given without its newline, is none. */
function parseRawLine(line: string): [sequence: number, raw: string] | undefined {
  const digits = line.indexOf(middle, start.length);
  if (digits === -1 || line.slice(0, start.length) !== start || !line.endsWith("}")) return undefined;
  const sequence = line.slice(start.length, digits);
  return /^\d+$/.test(sequence) ? [Number(sequence), line.slice(digits + middle.length, -1)] : undefined;
}

/** The sequence of a raw line, read from its first bytes. */
export function rawSequenceOf(lineStart: string): number | undefined {
  const match = /^\{"sequence":(\d+),/.exec(lineStart);
  return match ? Number(match[1]) : undefined;
}

/** Where the lines end that are of events up to `sequence`, in lines of the journal in their order. What is damaged says nothing. */
export function endOfRawLines(text: string, sequence: number): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const start = lineStart(text, (low + high) >>> 1);
    const line = nextLine(text, start);
    if (line && line.sequence <= sequence) low = line.end;
    else high = start;
  }
  return nextLine(text, low)?.start ?? text.length;
}

/** The last event that has a payload in these lines; undefined where all are damaged. */
export function lastRawSequence(text: string): number | undefined {
  for (let end = text.length; end > 0; ) {
    end = lineStart(text, end - 1);
    const sequence = rawSequenceOf(text.slice(end, end + prefixLength));
    if (sequence !== undefined) return sequence;
  }
  return undefined;
}

/** Where the line begins that a place is in. */
function lineStart(text: string, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;
}

/** The first line from the start of one on that has a number. */
function nextLine(text: string, from: number) {
  for (let start = from; start < text.length; ) {
    const sequence = rawSequenceOf(text.slice(start, start + prefixLength));
    const end = text.indexOf("\n", start) + 1 || text.length;
    if (sequence !== undefined) return { sequence, start, end };
    start = end;
  }
  return undefined;
}
