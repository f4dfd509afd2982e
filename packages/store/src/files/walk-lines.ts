const newline = 10;
/** Small enough that whoever looks at all lines of a block does not hold up others. */
const blockBytes = 256 * 1024;
const beginningBytes = 4 * 1024;

/** A line without its newline. Of one that is longer than allowed `bytes` is only the beginning. */
export interface WalkedLine {
  readonly bytes: Buffer;
  readonly length: number;
}

/** The lines that end between two places, block by block. What follows the last newline is none. */
export async function* walkLines(
  read: (position: number, length: number) => Promise<Buffer>,
  [from, to]: readonly [number, number],
  maxLineBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly WalkedLine[], void, void> {
  const open = new OpenLine(maxLineBytes);
  for (let position = from; position < to; ) {
    const block = await read(position, Math.min(blockBytes, to - position));
    if (block.length === 0) return;
    position += block.length;
    const lines: WalkedLine[] = [];
    let start = 0;
    for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, start)) {
      lines.push(open.end(block.subarray(start, end)));
      start = end + 1;
    }
    open.hold(block.subarray(start));
    if (lines.length > 0) yield lines;
  }
}

/** The pieces of a line that has not ended. */
class OpenLine {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #held = 0;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  hold(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    if (this.#length <= this.#maxBytes || this.#held < beginningBytes) {
      this.#pieces.push(piece);
      this.#held += piece.length;
    }
    if (this.#length > this.#maxBytes && this.#held > beginningBytes) {
      this.#pieces = [Buffer.from(Buffer.concat(this.#pieces).subarray(0, beginningBytes))];
      this.#held = beginningBytes;
    }
  }

  end(piece: Buffer): WalkedLine {
    if (this.#length === 0 && piece.length <= this.#maxBytes) return { bytes: piece, length: piece.length };
    this.hold(piece);
    const line = { bytes: Buffer.concat(this.#pieces), length: this.#length };
    this.#pieces = [];
    this.#held = 0;
    this.#length = 0;
    return line;
  }
}
