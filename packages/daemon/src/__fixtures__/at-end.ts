import { onTestFinished } from "vitest";

/** Says what to undo in the end, the last first. */
export type AtEnd = (undo: () => unknown) => void;

/** Of the running test. */
export const atEndOfTest: AtEnd = (undo) => onTestFinished(async () => void (await undo()));

/** Collects what is undone when `undoAll` is called, for what several tests share. */
export class SharedEnd {
  readonly #undo: (() => unknown)[] = [];
  readonly atEnd: AtEnd = (undo) => this.#undo.unshift(undo);

  async undoAll(): Promise<void> {
    for (const undo of this.#undo.splice(0)) await undo();
  }
}
