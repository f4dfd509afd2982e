import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../dialects/json.ts";
import type { ModelAnswer } from "../dialects/model-answer.ts";
import { delaysOf } from "../script/delays-of.ts";
import type { ParsedStep, ScriptedError } from "../script/model-step.ts";
import { toolResult } from "./amp-message.ts";
import type { AmpThread } from "./amp-thread.ts";
import { type AmpChunk, blocksOf, chunksOf, saidSoFar, usageOf } from "./speak-amp.ts";

/** What the script has for a thread as it stands. */
export type AskScript = (thread: AmpThread) => { readonly step: ParsedStep; readonly answer: ModelAnswer };

/** Amp's service asks a model that fails again by itself, before it tells anybody. */
const MAX_ATTEMPTS = 4;
/** Whoever is told to wait for longer is told at once that it failed. */
const LONGEST_WAIT_SECONDS = 5;
const PASSING_STATUS = 429;
const FIRST_SERVER_ERROR = 500;

type Spoken = "complete" | "again" | "failed";

/** Answers the user's newest message: the model speaks, the program runs its tools, until there is nothing more to run. */
export class AmpTurn {
  readonly #thread: AmpThread;
  readonly #ask: AskScript;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  #said: AmpChunk[] = [];
  #running: Json[] = [];
  #attempt = 1;
  #isOver = false;

  constructor(thread: AmpThread, ask: AskScript, closed: AbortSignal) {
    this.#thread = thread;
    this.#ask = ask;
    this.#signal = AbortSignal.any([closed, this.#stopped.signal]);
  }

  async run(): Promise<void> {
    try {
      while (await this.#step());
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    } finally {
      this.#isOver = true;
    }
  }

  /** What was said stays, what was running is cancelled. */
  cancel(): void {
    if (this.#isOver || this.#signal.aborted) return;
    this.#stopped.abort();
    const content = saidSoFar(this.#said);
    const messageId = this.#thread.nextMessageId();
    if (content.length > 0) this.#thread.add({ messageId, role: "assistant", content, state: { type: "cancelled" } });
    this.#addResults(this.#running.map(({ id }) => [String(id), { status: "cancelled", reason: "user:interrupted" }]));
    this.#thread.tellChange("cancelled", {});
    this.#thread.tellState("idle");
  }

  /** Whether there is more to do. */
  async #step(): Promise<boolean> {
    await this.#thread.ready(this.#signal);
    const { step, answer } = this.#ask(this.#thread);
    const messageId = this.#thread.nextMessageId();
    this.#tellTools(messageId);
    const spoken = await this.#speak(step, answer, messageId);
    this.#said = [];
    if (spoken === "again") return true;
    if (spoken === "failed") return false;
    this.#attempt = 1;
    const calls = blocksOf(answer).filter(({ type }) => type === "tool_use");
    if (calls.length > 0) await this.#runTools(calls, messageId);
    else this.#thread.tellState("idle");
    return calls.length > 0;
  }

  #tellTools(messageId: string): void {
    const { agentMode, tools } = this.#thread;
    this.#thread.tellState("working", messageId);
    this.#thread.tell("inference_tools", { messageId, agentMode, tools: tools.map(({ name }) => name) });
  }

  async #speak(step: ParsedStep, answer: ModelAnswer, messageId: string): Promise<Spoken> {
    const { first } = delaysOf(step);
    if (first > 0) await this.#pause(first);
    if (step.error?.status !== undefined) return this.#fail(step.error);
    await this.#stream(step, answer, messageId);
    if (step.cut !== undefined) return this.#breakOff();
    if (step.hang !== undefined) return this.#forever();
    if (step.error !== undefined) return this.#fail(step.error);
    const state = { type: "complete" } as const;
    this.#thread.tell("delta", { messageId, role: "assistant", state: "complete" });
    this.#thread.add({ messageId, role: "assistant", content: blocksOf(answer), state, usage: usageOf(answer) });
    return "complete";
  }

  async #stream(step: ParsedStep, answer: ModelAnswer, messageId: string): Promise<void> {
    const { between } = delaysOf(step);
    const end = step.cut ?? step.hang ?? true;
    const chunks = end === true ? chunksOf(answer) : chunksOf(answer).slice(0, end);
    if (chunks.length > 0) this.#thread.tellState("streaming", messageId);
    for (const [index, chunk] of chunks.entries()) {
      if (index > 0 && between > 0) await this.#pause(between);
      this.#said.push(chunk);
      const { block, blockIndex } = chunk;
      this.#thread.tell("delta", { messageId, role: "assistant", blocks: [block], blockIndex, state: "generating" });
    }
  }

  async #runTools(calls: readonly Json[], messageId: string): Promise<void> {
    this.#running = [...calls];
    this.#thread.tellState("running_tools", messageId);
    const runs = await Promise.all(
      calls.map(async (call) => {
        const run = await this.#thread.runTool(call, messageId, this.#signal);
        return [String(call.id), run] as const;
      }),
    );
    this.#running = [];
    this.#addResults(runs);
  }

  #addResults(runs: readonly (readonly [string, Json & { status: string }])[]): void {
    if (runs.length === 0) return;
    const content = runs.map(([id, run]) => toolResult(id, run));
    this.#thread.add({ messageId: this.#thread.nextMessageId(), role: "user", content });
  }

  async #fail({ status, type, message, retryAfterSeconds = 0 }: ScriptedError): Promise<Spoken> {
    const text = message ?? `Scripted ${type ?? status ?? "error"}`;
    const isPassing = status !== undefined && (status === PASSING_STATUS || status >= FIRST_SERVER_ERROR);
    const retryAt = Date.now() + retryAfterSeconds * 1000;
    if (isPassing && this.#attempt < MAX_ATTEMPTS && retryAfterSeconds <= LONGEST_WAIT_SECONDS) {
      const attempt = this.#attempt++;
      this.#thread.tell("retry_scheduled", { retryAt, attempt, maxAttempts: MAX_ATTEMPTS, reason: text });
      await this.#pause(retryAfterSeconds * 1000);
      this.#thread.tell("retry_started", {});
      return "again";
    }
    const error = { message: text, ...(type === undefined ? {} : { code: type }), ...(isPassing ? { retryAt } : {}) };
    this.#thread.tellChange("error_set", { error });
    this.#thread.tellState("error");
    return "failed";
  }

  /** The answer is lost with the connection; when the program is back, the model is asked again. */
  #breakOff(): Spoken {
    this.#thread.drop();
    return "again";
  }

  #forever(): Promise<never> {
    return new Promise((_, reject) => {
      this.#signal.addEventListener("abort", () => reject(this.#signal.reason), { once: true });
    });
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#signal });
  }
}
