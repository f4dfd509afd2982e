import { randomUUID } from "node:crypto";
import type { Box, BoxProcess } from "../box/box.ts";

/** What a command said, each piece marked with where: so the toolbox keeps and streams it. */
const marks = { stdout: Buffer.from([1, 1, 1]), stderr: Buffer.from([2, 2, 2]) };

type Stream = keyof typeof marks;

/** A command of a session. It goes on when the session is deleted, as its children do. */
export class SessionCommand {
  readonly id = randomUUID();
  readonly command: string;
  readonly ended: Promise<void>;
  exitCode: number | undefined;
  readonly #process: BoxProcess;
  readonly #pieces: { readonly stream: Stream; readonly data: Buffer }[] = [];
  readonly #listeners = new Set<(marked: Buffer) => void>();

  constructor(command: string, process: BoxProcess) {
    this.command = command;
    this.#process = process;
    this.ended = this.#run();
  }

  get shown() {
    return { id: this.id, command: this.command, exitCode: this.exitCode };
  }

  logs() {
    const of = (streams: readonly Stream[]) =>
      Buffer.concat(this.#pieces.filter(({ stream }) => streams.includes(stream)).map(({ data }) => data)).toString();
    return { output: of(["stdout", "stderr"]), stdout: of(["stdout"]), stderr: of(["stderr"]) };
  }

  /** From its first byte on, until the answer is called. */
  follow(listener: (marked: Buffer) => void): () => void {
    for (const { stream, data } of this.#pieces) listener(Buffer.concat([marks[stream], data]));
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  write(data: string): void {
    this.#process.writeStdin(data);
  }

  async #run(): Promise<void> {
    await Promise.all([this.#pass("stdout"), this.#pass("stderr")]);
    this.exitCode = (await this.#process.exited).code ?? -1;
  }

  async #pass(stream: Stream): Promise<void> {
    try {
      for await (const data of this.#process[stream]) {
        this.#pieces.push({ stream, data });
        for (const listener of this.#listeners) listener(Buffer.concat([marks[stream], data]));
      }
    } catch {
      // It ended with its box.
    }
  }
}

/** The sessions of a sandbox. Each command has a shell of its own here: what one sets the next one does not see. */
export class ToolboxSessions {
  readonly #box: Box;
  readonly #all = new Map<string, Map<string, SessionCommand>>();

  constructor(box: Box) {
    this.#box = box;
  }

  get all() {
    return [...this.#all].map(([sessionId, commands]) => ({
      sessionId,
      commands: [...commands.values()].map(({ shown }) => shown),
    }));
  }

  /** False where there is one of this name already. */
  add(id: string): boolean {
    if (this.#all.has(id)) return false;
    this.#all.set(id, new Map());
    return true;
  }

  has(id: string): boolean {
    return this.#all.has(id);
  }

  delete(id: string): boolean {
    return this.#all.delete(id);
  }

  command(id: string, commandId: string): SessionCommand | undefined {
    return this.#all.get(id)?.get(commandId);
  }

  /** Its standard input stays open where nobody waits for its end. */
  async execute(id: string, command: string, isAsync: boolean): Promise<SessionCommand> {
    const process = await this.#box.exec(["/bin/sh", "-c", command], isAsync ? {} : { input: "" });
    const started = new SessionCommand(command, process);
    this.#all.get(id)?.set(started.id, started);
    return started;
  }
}
