import { type SandboxAgent, SandboxAgentError, type UniversalEvent } from "@sandbox-agent-ts/sdk";
import type { RequestAnswerer } from "./request-answers.ts";

type EventOf<T extends UniversalEvent["type"]> = Extract<UniversalEvent, { type: T }>;

export interface ConverseOptions {
  readonly client: SandboxAgent;
  readonly sessionId: string;
  /** The turn's events. */
  readonly events: AsyncIterable<UniversalEvent>;
  readonly answerer: RequestAnswerer;
  /** Called for each event in order; what happens while a person is being asked is held back until the answer. */
  readonly show: (event: UniversalEvent) => void | Promise<void>;
}

export interface TurnResult {
  readonly turnId: string;
  readonly reason: "completed" | "interrupted" | "error";
  readonly message?: string;
  readonly end: EventOf<"turn.ended">["data"]["metadata"] | undefined;
  /** The session is over too. */
  readonly sessionEnded: boolean;
}

type Request = EventOf<"permission.requested"> | EventOf<"question.requested">;

/** Follow one turn: show what happens and answer what the agent asks, one request after the other. */
export async function converse(options: ConverseOptions): Promise<TurnResult> {
  const requests = new RequestQueue(options);
  const held: UniversalEvent[] = [];
  let result: TurnResult | undefined;
  let turnId = "";
  const showHeld = async (): Promise<void> => {
    while (held.length > 0 && !requests.isAsking) await options.show(held.shift()!);
  };
  requests.onAnswered = showHeld;
  for await (const event of options.events) {
    if (event.type === "turn.started") turnId = event.data.turn_id;
    if (event.type === "turn.ended") result = resultOf(event);
    if (event.type === "session.ended") result = { ...(result ?? cutShort(turnId)), sessionEnded: true };
    requests.push(event);
    held.push(event);
    await showHeld();
  }
  await requests.settled();
  await showHeld();
  return result ?? cutShort(turnId);
}

function resultOf({ data }: EventOf<"turn.ended">): TurnResult {
  const { reason, message } = data.metadata;
  const why = message ? { message } : {};
  return { turnId: data.turn_id, reason, ...why, end: data.metadata, sessionEnded: false };
}

function cutShort(turnId: string): TurnResult {
  const message = "The session ended before the turn did.";
  return { turnId, reason: "error", message, end: undefined, sessionEnded: false };
}

/** Requests wait for each other, and a request that is settled elsewhere is not asked any more. */
class RequestQueue {
  isAsking = false;
  onAnswered: () => Promise<void> = async () => {};
  readonly #options: ConverseOptions;
  readonly #open = new Map<string, AbortController>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: ConverseOptions) {
    this.#options = options;
  }

  push(event: UniversalEvent): void {
    if (event.type === "permission.requested" || event.type === "question.requested") this.#add(event);
    if (event.type === "permission.resolved") this.#open.get(event.data.permission_id)?.abort();
    if (event.type === "question.resolved") this.#open.get(event.data.question_id)?.abort();
    if (event.type === "turn.ended") for (const request of this.#open.values()) request.abort();
  }

  settled(): Promise<void> {
    return this.#last;
  }

  #add(event: Request): void {
    const settled = new AbortController();
    const id = event.type === "permission.requested" ? event.data.permission_id : event.data.question_id;
    this.#open.set(id, settled);
    const ask = async (): Promise<void> => {
      if (settled.signal.aborted) return;
      this.isAsking = true;
      try {
        await this.#settle(event, settled.signal);
      } finally {
        this.isAsking = false;
        this.#open.delete(id);
        await this.onAnswered();
      }
    };
    this.#last = this.#last.then(ask);
    // A failure is reported by whoever waits for `settled`; until then it is not unhandled.
    this.#last.catch(() => {});
  }

  async #settle(event: Request, signal: AbortSignal): Promise<void> {
    const { client, sessionId, answerer } = this.#options;
    try {
      if (event.type === "permission.requested") {
        const reply = await answerer.decide(event.data, signal);
        if (reply) await client.replyPermission(sessionId, event.data.permission_id, reply);
        return;
      }
      const answers = await answerer.answer(event.data, signal);
      if (answers === undefined) return;
      if (answers === null) await client.rejectQuestion(sessionId, event.data.question_id);
      else await client.replyQuestion(sessionId, event.data.question_id, { answers });
    } catch (error) {
      if (!isSettledElsewhere(error)) throw error;
    }
  }
}

/** Somebody else was faster. */
function isSettledElsewhere(error: unknown): boolean {
  return error instanceof SandboxAgentError && (error.status === 409 || error.status === 404);
}
