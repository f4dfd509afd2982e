/** Takes exact pieces from a stream of chunks, holding no more than one chunk beyond what was asked for. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    this.#source = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** The next bytes, at most `most`; empty at the end. */
  async some(most: number): Promise<Buffer> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) return this.#chunk;
      this.#chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const taken = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(taken.length);
    return taken;
  }

  /** Exactly so many bytes where they are at hand, without a pause. */
  now(size: number): Buffer | undefined {
    if (this.#chunk.length < size) return undefined;
    const taken = this.#chunk.subarray(0, size);
    this.#chunk = this.#chunk.subarray(size);
    return taken;
  }

  /** Exactly so many bytes; fewer at the end. */
  async exactly(size: number): Promise<Buffer> {
    const first = this.now(size) ?? (await this.some(size));
    if (first.length === size) return first;
    const parts = [first];
    let length = first.length;
    while (length < size) {
      const part = await this.some(size - length);
      if (part.length === 0) break;
      parts.push(part);
      length += part.length;
    }
    return Buffer.concat(parts, length);
  }

  async skip(size: number): Promise<boolean> {
    for (let left = size; left > 0; ) {
      const { length } = await this.some(left);
      if (length === 0) return false;
      left -= length;
    }
    return true;
  }

  /** Nothing more is wanted of the source. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
