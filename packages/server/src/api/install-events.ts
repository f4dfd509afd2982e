import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type {
  AgentInstallEvent,
  AgentInstallProgress,
  AgentInstallResponse,
  ProblemDetails,
} from "@sandbox-agent-ts/protocol";

/** Between two reports of the same step: bytes come in hundreds of pieces a second. */
const pauseMs = 100;

type Install = (onProgress: (progress: AgentInstallProgress) => void) => Promise<AgentInstallResponse>;

/** An installation as it is told while it happens. It goes on when nobody listens any more: others may wait for it. */
export class InstallEvents {
  readonly #done: Promise<AgentInstallResponse>;
  /** Of the same step only what was last. */
  #waiting: AgentInstallProgress[] = [];
  #wake: () => void = () => {};
  #news = this.#nextNews();

  constructor(install: Install) {
    this.#done = install((progress) => {
      const last = this.#waiting.at(-1);
      if (last && isSameStep(last, progress)) this.#waiting.pop();
      this.#waiting.push(progress);
      this.#wake();
    });
    this.#done.catch(() => {});
  }

  /** Resolves when there is something to tell; rejects with what went wrong before anything was done. */
  async begun(): Promise<void> {
    await Promise.race([this.#news, this.#done]);
  }

  /** Every step, of bytes the last count, and last how it ended. */
  async *frames(
    signal: AbortSignal,
    toProblem: (error: unknown) => ProblemDetails,
  ): AsyncGenerator<{ frames: string }> {
    const over = Promise.race([this.#done.then(isOver, isOver), once(signal, "abort").then(isOver)]);
    for (let isDone = false; !isDone; ) {
      isDone = await Promise.race([this.#news, over]);
      this.#news = this.#nextNews();
      const frames = this.#waiting.splice(0).map(frameOf).join("");
      if (frames !== "") yield { frames };
      if (!isDone) await Promise.race([delay(pauseMs, undefined, { ref: false }), over]);
    }
    if (!signal.aborted) yield { frames: frameOf(await this.#end(toProblem)) };
  }

  #nextNews(): Promise<false> {
    return new Promise((resolve) => {
      this.#wake = () => resolve(false);
    });
  }

  async #end(toProblem: (error: unknown) => ProblemDetails): Promise<AgentInstallEvent> {
    try {
      return { type: "installed", result: await this.#done };
    } catch (error) {
      return { type: "failed", problem: toProblem(error) };
    }
  }
}

const isOver = (): true => true;

function isSameStep(one: AgentInstallProgress, other: AgentInstallProgress): boolean {
  return one.step === other.step && one.package === other.package && one.program === other.program;
}

const frameOf = (event: AgentInstallEvent): string => `data: ${JSON.stringify(event)}\n\n`;
