/** A list that is copied at its first change and only then, so that one that did not change keeps its identity. */
export class LazyCopy<T> {
  #list: readonly T[];
  #copy: T[] | undefined;

  constructor(list: readonly T[]) {
    this.#list = list;
  }

  get list(): readonly T[] {
    return this.#list;
  }

  push(value: T): void {
    this.#own().push(value);
  }

  set(index: number, value: T): void {
    this.#own()[index] = value;
  }

  remove(isRemoved: (value: T) => boolean): void {
    const kept = this.#list.filter((value) => !isRemoved(value));
    if (kept.length === this.#list.length) return;
    this.#copy = kept;
    this.#list = kept;
  }

  #own(): T[] {
    this.#copy ??= this.#list.slice();
    this.#list = this.#copy;
    return this.#copy;
  }
}
