const MAX_MESSAGES = 20;
const MAX_MESSAGE_CHARACTERS = 200;

/** What a session still knows when it is opened again: what a person settled, and the last things they said. */
export class SessionMemory {
  readonly #keep: (value: unknown) => void;
  readonly #allowed: Set<string>;
  #said: readonly string[];

  /** Begins with what an earlier one gave to `keep`; what cannot be read is nothing. */
  constructor(memory: unknown, keep: (value: unknown) => void) {
    const { allowedAlways, said } = (memory ?? {}) as Record<string, unknown>;
    this.#keep = keep;
    this.#allowed = new Set(texts(allowedAlways));
    this.#said = texts(said);
  }

  /** The messages of the conversation, oldest first. Of many only the last are known, of a long one only its beginning. */
  get said(): readonly string[] {
    return this.#said;
  }

  isAllowed(use: string): boolean {
    return this.#allowed.has(use);
  }

  allow(use: string): void {
    this.#allowed.add(use);
    this.#save();
  }

  hear(message: string): void {
    this.#said = [...this.#said, beginningOf(message)].slice(-MAX_MESSAGES);
    this.#save();
  }

  #save(): void {
    this.#keep({ allowedAlways: [...this.#allowed], said: this.#said });
  }
}

/** The memory of a session in which this was said. */
export function memoryOf(said: readonly string[]): unknown {
  return { allowedAlways: [], said: said.slice(-MAX_MESSAGES).map(beginningOf) };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Cut between characters; twice as many units hold them all. */
function beginningOf(message: string): string {
  const characters = Array.from(message.slice(0, 2 * MAX_MESSAGE_CHARACTERS)).slice(0, MAX_MESSAGE_CHARACTERS);
  const beginning = characters.join("");
  return beginning === message ? beginning : `${beginning}…`;
}
