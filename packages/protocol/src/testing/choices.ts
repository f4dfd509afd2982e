/** Decisions made by a list of numbers. When the list is used up every decision is 0. */
export class Choices {
  readonly #numbers: readonly number[];
  #used = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  get exhausted(): boolean {
    return this.#used >= this.#numbers.length;
  }

  /** A whole number from 0 up to, but not including, `count`. */
  below(count: number): number {
    const number = this.#numbers[this.#used++] ?? 0;
    return number % count;
  }

  of<const T>(options: readonly [T, ...T[]]): T {
    return options[this.below(options.length)] ?? options[0];
  }
}
