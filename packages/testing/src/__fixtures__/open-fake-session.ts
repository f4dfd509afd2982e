import { EventEmitter, once } from "node:events";
import { tmpdir } from "node:os";
import type { AgentLogger, AgentProcess, AgentSession, Supervisor, TurnOutcome } from "@sandbox-agent-ts/agents";
import type { EventDraft, EventType } from "@sandbox-agent-ts/protocol";
import { createFakeAgent } from "../fake-agent-adapter.ts";
import type { FakeSessionLimits } from "../fake-agent-session.ts";

export const silentLog: AgentLogger = { debug() {}, info() {}, warn() {}, error() {} };

export interface OpenedSession {
  readonly session: AgentSession;
  readonly events: EventDraft[];
  readonly processes: AgentProcess[];
  readonly nativeIds: string[];
  emitCount(): number;
  prompt(message: string): Promise<TurnOutcome>;
  /** The first event of the type, come or to come. */
  event<T extends EventType>(type: T): Promise<Extract<EventDraft, { type: T }>>;
  text(): string;
}

/** A session of the fake agent on a real supervisor, with everything it says collected. */
export async function openFakeSession(
  supervisor: Supervisor,
  { nativeSessionId, ...limits }: FakeSessionLimits & { nativeSessionId?: string } = {},
): Promise<OpenedSession> {
  const arrivals = new EventEmitter();
  const events: EventDraft[] = [];
  const processes: AgentProcess[] = [];
  const nativeIds: string[] = [];
  let emits = 0;
  const session = await createFakeAgent(limits).open({
    host: {
      env: { PATH: process.env.PATH ?? "" },
      dataDir: tmpdir(),
      installRoot: tmpdir(),
      log: silentLog,
      spawn(options) {
        const process = supervisor.spawn(options);
        processes.push(process);
        return process;
      },
    },
    session: {
      sessionId: "s1",
      agentMode: "build",
      permissionMode: "default",
      directory: tmpdir(),
      env: {},
    },
    itemPrefix: "i",
    emit(drafts) {
      emits += 1;
      for (const draft of drafts) events.push(draft);
      arrivals.emit("events");
    },
    setNativeSessionId: (id) => nativeIds.push(id),
    remember() {},
    ...(nativeSessionId === undefined ? {} : { nativeSessionId }),
  });

  return {
    session,
    events,
    processes,
    nativeIds,
    emitCount: () => emits,
    prompt: (message) => session.prompt({ turnId: "t1", message, attachments: [] }),
    async event<T extends EventType>(type: T) {
      for (;;) {
        const found = events.find((event): event is Extract<EventDraft, { type: T }> => event.type === type);
        if (found) return found;
        await once(arrivals, "events");
      }
    },
    text: () => events.map((event) => (event.type === "item.delta" ? event.data.delta : "")).join(""),
  };
}
