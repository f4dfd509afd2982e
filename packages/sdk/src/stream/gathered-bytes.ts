const nothing = new Uint8Array();

/** Bytes that come in pieces and are kept one behind the other: many small pieces take no more memory than a large one. */
export class GatheredBytes {
  /** What has come, and room for more. A piece that came alone is kept as it is: it has no room, so nothing is written to it. */
  #room: Uint8Array = nothing;
  length = 0;

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    const length = this.length + piece.length;
    if (this.length === 0) this.#room = piece;
    else {
      if (length > this.#room.length) this.#move(Math.max(length, 2 * this.length));
      this.#room.set(piece, this.length);
    }
    this.length = length;
  }

  /** The first of them, which are not kept any more. They stay what they are. */
  take(count: number): Uint8Array {
    const bytes = this.#room.subarray(0, count);
    this.length -= count;
    this.#room = this.length === 0 ? nothing : this.#room.subarray(count);
    return bytes;
  }

  /** Let go of memory that is mostly of bytes that were taken. */
  release(): void {
    if (this.#room.buffer.byteLength > 2 * this.length) this.#move(this.length);
  }

  #move(room: number): void {
    const moved = new Uint8Array(room);
    moved.set(this.bytes);
    this.#room = moved;
  }
}
