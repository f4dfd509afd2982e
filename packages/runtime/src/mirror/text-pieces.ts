/** Of one: below what makes a row of the store. */
const pieceLength = 60 * 1024;

interface TextPiece {
  readonly count: number;
  readonly text: string;
}

/**
 * Lines put together into texts of moderate length. One long text is many times as dear: it is copied as a whole, again and
 * again, and each time into memory that the process has to ask the system for.
 */
export class TextPieces {
  readonly #whole: TextPiece[] = [];
  #text = "";
  #count = 0;

  add(line: string): void {
    if (this.#count > 0 && this.#text.length + line.length > pieceLength) this.#end();
    this.#text += line;
    this.#count += 1;
  }

  /** All of them, in order. */
  end(): readonly TextPiece[] {
    if (this.#count > 0) this.#end();
    return this.#whole;
  }

  #end(): void {
    this.#whole.push({ count: this.#count, text: this.#text });
    this.#text = "";
    this.#count = 0;
  }
}
