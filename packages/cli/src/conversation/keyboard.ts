import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";

interface KeyboardOptions {
  readonly input: ReadStream;
  /** Where the line that is being typed is shown. */
  readonly output: NodeJS.WritableStream;
  readonly complete?: (line: string) => readonly string[];
}

/**
 * A person at a terminal. Between questions nothing that is typed is shown, but nothing is lost either: a line that was
 * finished meanwhile is the answer to the next `readMessage`, an unfinished one is shown there. Esc and Ctrl-C are
 * reported at any time. `readAnswer` only takes what is typed after its question was shown.
 */
export class Keyboard {
  /** Called for Esc and Ctrl-C; `key` says which. */
  onInterrupt: (key: "escape" | "ctrl-c") => void = () => {};
  readonly #input: ReadStream;
  readonly #screen: MutableScreen;
  readonly #lines: Interface;
  readonly #finished: string[] = [];
  #take: ((line: string) => void) | undefined;
  #closed = false;

  constructor({ input, output, complete }: KeyboardOptions) {
    this.#input = input;
    this.#screen = new MutableScreen(output);
    this.#lines = createInterface({
      input,
      output: this.#screen,
      terminal: true,
      historySize: 200,
      ...(complete ? { completer: (line: string) => [complete(line), line] } : {}),
    });
    this.#lines.on("line", (line) => this.#onLine(line));
    this.#lines.on("SIGINT", () => this.onInterrupt("ctrl-c"));
    this.#lines.on("close", () => {
      this.#closed = true;
    });
    input.on("keypress", this.#onKey);
  }

  /** The next line for the agent; undefined when the person is done (Ctrl-D). */
  async readMessage(prompt: string): Promise<string | undefined> {
    const typedAhead = this.#finished.shift();
    if (typedAhead !== undefined) {
      this.#screen.show(`${prompt}${typedAhead}\n`);
      return typedAhead;
    }
    return this.#readLine(prompt);
  }

  /** The answer to a question; undefined when it need not be answered any more, or the person is done. */
  async readAnswer(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    const unfinished = this.#lines.line;
    this.#replaceLine("");
    const answer = await this.#readLine(prompt, signal);
    const typedSince = answer === undefined ? "" : this.#lines.line;
    if (!this.#closed) this.#replaceLine(unfinished + typedSince);
    return answer;
  }

  /** Throw away what was typed so far; false when there was nothing. */
  clearLine(): boolean {
    const hadText = this.#lines.line !== "";
    this.#replaceLine("");
    if (hadText) this.#lines.prompt();
    return hadText;
  }

  /** End a question that waits, as Ctrl-D does. */
  close(): void {
    this.#input.off("keypress", this.#onKey);
    this.#lines.close();
  }

  async #readLine(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    if (this.#closed || signal?.aborted) return undefined;
    const settled = new AbortController();
    const line = new Promise<string>((resolve) => {
      this.#take = resolve;
    });
    const ends = [once(this.#lines, "close", { signal: settled.signal })];
    if (signal) ends.push(once(signal, "abort", { signal: settled.signal }));
    const end = Promise.race(ends).then(
      () => undefined,
      () => undefined,
    );
    this.#screen.isMuted = false;
    this.#lines.setPrompt(prompt);
    this.#lines.prompt(true);
    try {
      const answer = await Promise.race([line, end]);
      if (answer === undefined) this.#screen.show("\n");
      return answer;
    } finally {
      this.#take = undefined;
      this.#screen.isMuted = true;
      settled.abort();
    }
  }

  /** Several lines may arrive at once, when they are pasted: only the first is for whoever waits. */
  #onLine(line: string): void {
    const take = this.#take;
    if (!take) {
      this.#finished.push(line);
      return;
    }
    this.#take = undefined;
    this.#screen.isMuted = true;
    take(line);
  }

  #replaceLine(text: string): void {
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
    if (text !== "") this.#lines.write(text);
  }

  readonly #onKey = (_text: string | undefined, key: { name?: string; meta?: boolean } | undefined): void => {
    if (key?.name === "escape") this.onInterrupt("escape");
  };
}

/** Passes on what is written to it unless it is muted. */
class MutableScreen extends Writable {
  isMuted = true;
  readonly #output: NodeJS.WritableStream;

  constructor(output: NodeJS.WritableStream) {
    super();
    this.#output = output;
  }

  get columns(): number | undefined {
    return (this.#output as { columns?: number }).columns;
  }

  show(text: string): void {
    this.#output.write(text);
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (!this.isMuted) this.#output.write(chunk);
    done();
  }
}

/** The keyboard, if a person sits at it: both ends must be a terminal. */
export function openKeyboard(complete?: (line: string) => readonly string[]): Keyboard | undefined {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  return new Keyboard({ input: stdin, output: stderr, ...(complete ? { complete } : {}) });
}
