import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";
import { type Answer, type Client, ofType, session } from "./client.ts";
import type { Random } from "./seeded-random.ts";
import type { SseReader } from "./sse-reader.ts";

const replies = ["once", "always", "reject"] as const;

/**
 * Talks to one session through many lives of its daemon and remembers everything it was promised: what it was shown, and
 * what was acknowledged. Calls may break at any moment; what broke was not promised.
 */
export class Witness {
  readonly id: string;
  readonly agent: string;
  readonly #random: Random;
  readonly #shown: string[] = [];
  readonly #turns = new Map<string, string>();
  readonly #replies = new Map<string, string>();
  readonly #ended = new Set<string>();
  /** Where each request was first seen. */
  readonly #asked = new Map<string, Client>();
  #lateAnswers = 0;
  #created = false;
  #reader: SseReader | undefined;

  constructor(id: string, agent: string, random: Random) {
    this.id = id;
    this.agent = agent;
    this.#random = random;
  }

  async create(client: Client): Promise<void> {
    if (this.#created) return;
    const { status } = await client.call("POST", session(this.id), { agent: this.agent });
    expect([200, 409]).toContain(status);
    this.#created = true;
  }

  async send(client: Client, message: string): Promise<void> {
    const answer = await client.send(this.id, message);
    expect(answer.status, answer.text).toBe(202);
    this.#turns.set(answer.json<{ turnId: string }>().turnId, message);
  }

  /** Read on from what was shown last, answering what the agent asks, or leaving that for another life. */
  async follow(client: Client, { answers = true } = {}): Promise<void> {
    this.#reader?.drop();
    this.#reader = await client.follow(this.id, {
      lastEventId: this.#shown.length,
      onFrame: ({ id, data }) => {
        this.#shown.push(data);
        if (id !== this.#shown.length) throw new Error(`event ${id} was shown in the place of ${this.#shown.length}`);
        const event: UniversalEvent = JSON.parse(data);
        if (event.type === "turn.ended") this.#ended.add(event.data.turn_id);
        if (event.type !== "permission.requested") return;
        this.#asked.set(event.data.permission_id, client);
        if (answers) this.#answer(client, event.data.permission_id).catch(() => {});
      },
    });
  }

  /** Answer what was asked in an earlier life and is still open: it can be, unless it was settled in this moment. */
  async answerPending(client: Client): Promise<void> {
    const { pendingPermissions } = await client.info(this.id);
    for (const permissionId of pendingPermissions) {
      const answer = await this.#answer(client, permissionId);
      expect([204, 409], answer.text).toContain(answer.status);
      if (answer.status === 204 && (this.#asked.get(permissionId) ?? client) !== client) this.#lateAnswers += 1;
    }
  }

  async #answer(client: Client, permissionId: string): Promise<Answer> {
    const reply = this.#random.pick(replies);
    const answer = await client.call("POST", `${session(this.id)}/permissions/${permissionId}/reply`, { reply });
    if (answer.status === 204) this.#replies.set(permissionId, reply);
    return answer;
  }

  /** How many answers were taken in a later life than the one in which the agent asked. */
  get lateAnswers(): number {
    return this.#lateAnswers;
  }

  /** The turns that were acknowledged and have not ended, as far as was shown. */
  get open(): string[] {
    return [...this.#turns.keys()].filter((turnId) => !this.#ended.has(turnId));
  }

  get promiseCount(): number {
    return this.#shown.length + this.#turns.size + this.#replies.size;
  }

  /** The log as it is now begins with everything that was shown, to the byte. */
  async expectKept(client: Client): Promise<void> {
    if (!this.#created) return;
    const shown = [...this.#shown];
    const { eventCount } = await client.info(this.id);
    expect(eventCount, `events of ${this.id}`).toBeGreaterThanOrEqual(shown.length);
    const reader = await client.follow(this.id);
    await reader.until((event) => event.sequence === eventCount);
    reader.drop();
    const other = shown.findIndex((data, index) => data !== reader.frames[index]?.data);
    expect(reader.frames[other]?.data, `event ${other + 1} of ${this.id}`).toEqual(shown[other]);
  }

  /** At rest: the log is sound and everything that was acknowledged happened, once. */
  async expectTold(client: Client): Promise<void> {
    const events = await client.soundLog(this.id);
    const started = ofType(events, "turn.started").map(({ data }) => data.turn_id);
    expect(new Set(started).size).toBe(started.length);
    for (const [turnId, message] of this.#turns) expect(started, `${this.id}: ${message}`).toContain(turnId);
    expect(started.filter((turnId) => this.#turns.has(turnId))).toEqual([...this.#turns.keys()]);
    const resolved = new Map(ofType(events, "permission.resolved").map(({ data }) => [data.permission_id, data.reply]));
    for (const [id, reply] of this.#replies) expect(resolved.get(id)).toBe(reply);
    expect(await client.info(this.id)).toMatchObject({ status: "idle", pendingPermissions: [] });
  }
}
