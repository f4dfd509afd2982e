import type { AgentAdapter, OpenOptions, SessionConfig, TurnOutcome } from "@sandbox-agent-ts/agents";
import type { EventDraft, EventPayload, PermissionReply, RequestResolver } from "@sandbox-agent-ts/protocol";
import { stubAgent } from "./stub-agent.ts";

/** An agent that is played by the test: it says and does nothing by itself. */
export class ScriptedAgent {
  readonly adapter: AgentAdapter;
  readonly prompts: string[] = [];
  /** The answers it was told, in order. */
  readonly answered: {
    id: string;
    reply: PermissionReply;
    reason?: string | undefined;
    by?: RequestResolver | undefined;
  }[] = [];
  /** What it throws at answers, if it does. */
  answerError: Error | undefined;
  closes = 0;
  #options: OpenOptions | undefined;
  #finish: ((outcome: TurnOutcome) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;
  #onPrompt: (() => void) | undefined;

  constructor() {
    const session = {
      prompt: ({ message }: { message: string }) => this.#play(message),
      interrupt: async () => this.finish({ reason: "interrupted" }),
      answerPermission: async (id: string, reply: PermissionReply, reason?: string, by?: RequestResolver) => {
        if (this.answerError) throw this.answerError;
        this.answered.push({ id, reply, reason, by });
      },
      close: async () => this.#close(),
    };
    const { open } = stubAgent("scripted", {}, session);
    this.adapter = stubAgent("scripted", {
      permissionModes: ["default", "acceptEdits", "bypass"],
      open: (options) => {
        this.#options = options;
        return open(options);
      },
    });
  }

  /** What it was opened with last. */
  get session(): SessionConfig | undefined {
    return this.#options?.session;
  }

  emit(...payloads: EventPayload[]): void {
    const drafts = payloads.map((payload): EventDraft => ({ ...payload, source: "agent", synthetic: false }));
    this.#options?.emit(drafts);
  }

  finish(outcome: TurnOutcome = { reason: "completed" }): void {
    this.#finish?.(outcome);
  }

  /** Resolves when so many prompts have come. */
  async prompted(count: number): Promise<void> {
    while (this.prompts.length < count) {
      await new Promise<void>((resolve) => {
        this.#onPrompt = resolve;
      });
    }
  }

  #play(message: string): Promise<TurnOutcome> {
    this.prompts.push(message);
    this.#onPrompt?.();
    return new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  #close(): void {
    this.closes += 1;
    this.#fail?.(new Error("closed"));
  }
}
