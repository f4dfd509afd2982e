import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { chatFiles } from "./chat-files.ts";
import type { ChatMessage, ChatToolCall } from "./chat-record.ts";

/** The program writes down a call right after it has told that it ended. */
const RECORD_TIMEOUT_MS = 2_000;
const LOOK_AGAIN_MS = 5;
const NEWLINE = 0x0a;

/** The calls of a conversation as the program keeps them: with their input and with all that came of them. */
export class RecordedCalls {
  readonly #directory: string;
  readonly #sessionId: string;
  /** How far each file is read. */
  readonly #offsets = new Map<string, number>();
  readonly #calls = new Map<string, ChatToolCall>();
  /** Nobody asks twice; without them the file's repetitions would be kept here for ever. */
  readonly #taken = new Set<string>();
  #reading: Promise<void> | undefined;

  constructor(directory: string, sessionId: string) {
    this.#directory = directory;
    this.#sessionId = sessionId;
  }

  /** Waits for it; `undefined` when it is not written down. */
  async take(callId: string): Promise<ChatToolCall | undefined> {
    const until = Date.now() + RECORD_TIMEOUT_MS;
    while (true) {
      await this.#readOn();
      const call = this.#calls.get(callId);
      if (call) this.#taken.add(callId);
      this.#calls.delete(callId);
      if (call || Date.now() > until) return call;
      await sleep(LOOK_AGAIN_MS);
    }
  }

  #readOn(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    const known = [...this.#offsets.keys()];
    for (const file of known.length > 0 ? known : await chatFiles(this.#directory, this.#sessionId)) {
      for (const line of await this.#newLines(file)) this.#keep(line);
    }
  }

  async #newLines(file: string): Promise<string[]> {
    const from = this.#offsets.get(file) ?? 0;
    const handle = await open(file).catch(() => undefined);
    if (!handle) return [];
    try {
      const { size } = await handle.stat();
      const bytes = Buffer.alloc(Math.max(0, size - from));
      await handle.read(bytes, 0, bytes.length, from);
      const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
      this.#offsets.set(file, from + whole.length);
      return whole.toString("utf8").split("\n");
    } finally {
      await handle.close();
    }
  }

  #keep(line: string): void {
    if (!line.includes('"toolCalls":[')) return;
    const { toolCalls = [] } = parseMessage(line);
    for (const call of toolCalls) if (!this.#taken.has(call.id)) this.#calls.set(call.id, call);
  }
}

function parseMessage(line: string): Partial<ChatMessage> {
  try {
    return JSON.parse(line) as Partial<ChatMessage>;
  } catch {
    return {};
  }
}
