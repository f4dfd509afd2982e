import { SandboxError } from "@sandbox-agent-ts/protocol";
import type {
  EventBatch,
  EventPage,
  EventStore,
  PageRequest,
  RawPage,
  SessionRecord,
  StoredSession,
  TurnEntry,
  TurnRecord,
  TurnWithdrawal,
} from "../event-store.ts";
import { parseRawLines } from "../raw-lines.ts";

interface MemorySession {
  record: SessionRecord;
  events: Buffer[];
  raw: Map<number, string>;
  turns: TurnEntry[];
  memory: unknown;
  updatedAt: number;
}

/** Keeps everything in memory and nothing beyond the process: for `--ephemeral` and for tests. */
export class MemoryStore implements EventStore {
  readonly #sessions = new Map<string, MemorySession>();

  async sessions(): Promise<StoredSession[]> {
    return [...this.#sessions.values()].map(({ record, events, memory, updatedAt }) => ({
      record,
      head: events.length,
      updatedAt,
      snapshot: null,
      memory,
      clean: false,
      knownHead: events.length,
    }));
  }

  async create(record: SessionRecord): Promise<void> {
    const { sessionId } = record;
    if (this.#sessions.has(sessionId)) {
      throw new SandboxError("session_already_exists", `Session "${sessionId}" exists already.`, { sessionId });
    }
    const empty = { events: [], raw: new Map(), turns: [], memory: null };
    this.#sessions.set(sessionId, { record, ...empty, updatedAt: record.createdAt });
  }

  async update(record: SessionRecord): Promise<void> {
    this.#get(record.sessionId).record = record;
  }

  async delete(sessionId: string): Promise<void> {
    this.#sessions.delete(sessionId);
  }

  head(sessionId: string): number {
    return this.#get(sessionId).events.length;
  }

  append(sessionId: string, batch: EventBatch): void | Promise<void> {
    const session = this.#get(sessionId);
    if (batch.first !== session.events.length + 1) {
      throw new SandboxError("internal_error", `Event ${batch.first} does not follow event ${session.events.length}.`);
    }
    for (const line of batch.lines.split("\n").slice(0, -1)) session.events.push(Buffer.from(`${line}\n`));
    for (const [sequence, raw] of parseRawLines(batch.raw)) session.raw.set(sequence, raw);
    session.updatedAt = Date.now();
  }

  async read(sessionId: string, after: number, page: PageRequest): Promise<EventPage> {
    const { events } = this.#get(sessionId);
    const lines: Buffer[] = [];
    let bytes = 0;
    for (let n = after; n < events.length && lines.length < page.maxEvents; n++) {
      const line = events[n]!;
      if (lines.length > 0 && bytes + line.length > page.maxBytes) break;
      lines.push(line);
      bytes += line.length;
    }
    return { first: after + 1, count: lines.length, lines: Buffer.concat(lines) };
  }

  async readRaw(sessionId: string, after: number, page: PageRequest): Promise<RawPage> {
    const { raw, events } = this.#get(sessionId);
    const lines: Buffer[] = [];
    let bytes = 0;
    let sequence = after + 1;
    for (; sequence <= events.length && lines.length < page.maxEvents; sequence++) {
      const payload = raw.get(sequence);
      if (payload === undefined) continue;
      const line = Buffer.from(`{"sequence":${sequence},"raw":${payload}}\n`);
      if (lines.length > 0 && bytes + line.length > page.maxBytes) break;
      lines.push(line);
      bytes += line.length;
    }
    return { count: lines.length, lines: Buffer.concat(lines), isEnd: sequence > events.length };
  }

  async appendTurn(sessionId: string, turn: TurnRecord): Promise<void> {
    const session = this.#get(sessionId);
    session.turns.push(turn);
    session.updatedAt = Date.now();
  }

  async withdrawTurn(sessionId: string, { turnId, withdrawnAt }: TurnWithdrawal): Promise<void> {
    const session = this.#get(sessionId);
    session.turns.push({ turnId, withdrawnAt });
    session.updatedAt = Date.now();
  }

  async syncTurns(): Promise<void> {}

  async *turns(sessionId: string): AsyncGenerator<TurnEntry, void, void> {
    yield* [...this.#get(sessionId).turns];
  }

  checkpoint(): void {}

  remember(sessionId: string, memory: unknown): void | Promise<void> {
    this.#get(sessionId).memory = structuredClone(memory);
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}

  #get(sessionId: string): MemorySession {
    const session = this.#sessions.get(sessionId);
    if (!session) throw new SandboxError("session_not_found", `There is no session "${sessionId}".`, { sessionId });
    return session;
  }
}
