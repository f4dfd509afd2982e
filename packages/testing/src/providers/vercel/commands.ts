import { randomBytes } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import type { Box, BoxProcess } from "../box/box.ts";

export interface NewCommand {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout?: number;
}

export interface OutputLine {
  readonly stream: "stdout" | "stderr";
  readonly data: string;
}

const killed = 128;
const signals: Readonly<Record<number, NodeJS.Signals>> = { 2: "SIGINT", 9: "SIGKILL", 15: "SIGTERM" };

/** A command, with all that it has said. */
export class Command {
  readonly id = `cmd_${randomBytes(12).toString("hex")}`;
  readonly startedAt = Date.now();
  readonly lines: OutputLine[] = [];
  /** Resolves when it has ended and all that it said is there. */
  readonly ended: Promise<void>;
  exitCode: number | null = null;
  readonly #wished: NewCommand;
  readonly #sessionId: string;
  readonly #process: BoxProcess;
  readonly #listeners = new Set<(line: OutputLine) => void>();

  constructor(wished: NewCommand, sessionId: string, process: BoxProcess) {
    this.#wished = wished;
    this.#sessionId = sessionId;
    this.#process = process;
    this.ended = this.#follow();
  }

  /** What it has said and will say, until the answer is called. */
  listen(listener: (line: OutputLine) => void): () => void {
    for (const line of this.lines) listener(line);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  kill(signal: number): void {
    this.#process.kill(signals[signal] ?? "SIGTERM");
  }

  describe() {
    const { command: name, args = [], cwd = "/vercel/sandbox" } = this.#wished;
    const { id, startedAt, exitCode } = this;
    return { id, name, args, cwd, sessionId: this.#sessionId, exitCode, startedAt };
  }

  async #follow(): Promise<void> {
    const { timeout } = this.#wished;
    const timer = timeout === undefined ? undefined : setTimeout(() => this.#process.kill("SIGKILL", true), timeout);
    await Promise.all([this.#read("stdout"), this.#read("stderr")]);
    const { code, signal } = await this.#process.exited;
    clearTimeout(timer);
    const number = Object.entries(signals).find(([, name]) => name === signal)?.[0];
    this.exitCode = code ?? killed + Number(number ?? 0);
  }

  async #read(stream: OutputLine["stream"]): Promise<void> {
    const decoder = new StringDecoder();
    try {
      for await (const chunk of this.#process[stream]) this.#say({ stream, data: decoder.write(chunk) });
    } catch {
      // It ended with its box.
    }
  }

  #say(line: OutputLine): void {
    if (line.data === "") return;
    this.lines.push(line);
    for (const listener of this.#listeners) listener(line);
  }
}

/** Those of one session. */
export class Commands {
  readonly #box: Box;
  readonly #sessionId: string;
  readonly #all = new Map<string, Command>();

  constructor(box: Box, sessionId: string) {
    this.#box = box;
    this.#sessionId = sessionId;
  }

  find(id: string): Command | undefined {
    return this.#all.get(id);
  }

  async start(wished: NewCommand): Promise<Command> {
    const { command, args = [], cwd = "/vercel/sandbox", env } = wished;
    const process = await this.#box.exec([command, ...args], { cwd, env, input: "" });
    const started = new Command(wished, this.#sessionId, process);
    this.#all.set(started.id, started);
    return started;
  }
}
