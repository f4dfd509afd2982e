const firstBeyondAscii = 0x80;

/**
 * Bytes that come in pieces as text. Nearly all of them are ASCII, which is decoded ten times as fast by a decoder that need
 * not remember how the piece before ended.
 */
export class Utf8Text {
  readonly #stream = new TextDecoder();
  readonly #whole = new TextDecoder();
  /** Whether the piece before was ASCII, and so the next one will be. What stands before the first one is known to one decoder only. */
  #isAscii = false;

  decode(bytes: Uint8Array): string {
    if (bytes.length === 0) return "";
    const endsWhole = bytes.at(-1)! < firstBeyondAscii;
    if (this.#isAscii && endsWhole) {
      const text = this.#whole.decode(bytes);
      if (text.length === bytes.length) return text;
    }
    const text = this.#stream.decode(bytes, { stream: true });
    this.#isAscii = endsWhole && text.length === bytes.length;
    return text;
  }
}
