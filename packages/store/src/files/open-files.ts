import { closeSync } from "node:fs";

/** A file that can be closed and opened again without anybody noticing. */
export interface Reopenable {
  /** In the middle of something that needs its descriptor. */
  readonly busy: boolean;
  takeDescriptor(): number | undefined;
}

/** Keeps the number of open descriptors bounded, whatever the number of sessions: the longest unused is closed first. */
export class OpenFiles {
  readonly #files = new Set<Reopenable>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  used(file: Reopenable): void {
    this.#files.delete(file);
    this.#files.add(file);
    for (const candidate of this.#files) {
      if (this.#files.size <= this.#limit) return;
      if (!candidate.busy && candidate !== file) this.close(candidate);
    }
  }

  close(file: Reopenable): void {
    this.#files.delete(file);
    const descriptor = file.takeDescriptor();
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
