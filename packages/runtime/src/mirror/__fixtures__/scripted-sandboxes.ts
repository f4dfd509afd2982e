import { onTestFinished } from "vitest";
import { Quotas } from "../../access/quotas.ts";
import { SecretBox } from "../../access/secret-box.ts";
import type { AgentCatalog } from "../../agents/agent-catalog.ts";
import { EventBus } from "../../events/event-bus.ts";
import { RuntimeMetrics } from "../../metrics/runtime-metrics.ts";
import { Profiles } from "../../profiles/profiles.ts";
import { boundedProvider } from "../../sandboxes/bounded-provider.ts";
import type { Sandbox, SandboxLife, SandboxProvider } from "../../sandboxes/sandbox-provider.ts";
import { WarmSandboxes } from "../../sandboxes/warm-sandboxes.ts";
import { defaultLimits, type RuntimeDeps, type RuntimeLimits } from "../../sessions/runtime-deps.ts";
import { SessionLogs } from "../../sessions/session-logs.ts";
import { SessionManager } from "../../sessions/session-manager.ts";
import { MemoryRuntimeStore } from "../../store/memory/memory-runtime-store.ts";
import type { RuntimeStore } from "../../store/runtime-store.ts";

/** What stands in the place of a daemon: answers a request to a path. */
export type ScriptedDaemon = (path: string, init: RequestInit) => Response | Promise<Response>;

export interface ScriptedSandboxes extends SandboxProvider {
  /** The ids of those that were ended. */
  readonly ended: string[];
}

/** A provider of sandboxes in which this answers as the daemon of the n-th; with it how they say they are. */
export function scriptedSandboxes(
  daemon: (n: number) => ScriptedDaemon,
  life: () => SandboxLife = () => ({ state: "running" }),
): ScriptedSandboxes {
  const ended: string[] = [];
  const sandbox = (n: number): Sandbox => ({
    id: `box-${n}`,
    paths: { workspace: "/w", home: "/h", data: "/d", bundle: "/b", programs: "/p" },
    status: async () => (ended.includes(`box-${n}`) ? { state: "gone" } : life()),
    endpoint: async () => ({
      url: "http://localhost",
      headers: {},
      fetch: async (input, init) => daemon(n)(new URL(String(input)).pathname, init ?? {}),
    }),
    start: async () => {},
    write: async () => {},
    extend: async () => {},
    logs: async () => "",
    destroy: async () => void (ended.includes(`box-${n}`) || ended.push(`box-${n}`)),
  });
  let made = 0;
  return {
    name: "scripted",
    ended,
    can: { suspend: false, snapshot: false, extend: false, network: false, isolation: false },
    check: async () => [],
    create: async () => sandbox(++made),
    attach: async (id) => (ended.includes(id) ? undefined : sandbox(Number(id.slice("box-".length)))),
    list: async function* () {},
    dispose: async () => {},
  };
}

/** The sessions of a runtime on such sandboxes; closed when the test is over. */
export function sessionsOn(
  provider: SandboxProvider,
  options: { readonly store?: RuntimeStore; readonly limits?: Partial<RuntimeLimits>; readonly bus?: EventBus } = {},
): SessionManager {
  const store = options.store ?? new MemoryRuntimeStore();
  const catalog = { programs: "/p", check: async () => {}, ensureInstalled: async () => {} };
  const secrets = new SecretBox("key");
  const limits = { ...defaultLimits, healthIntervalMs: 5, startTimeoutMs: 200, ...options.limits };
  const deps: Omit<RuntimeDeps, "warm"> = {
    owner: "test",
    store,
    provider: boundedProvider(provider, limits),
    secrets,
    profiles: new Profiles({ store, secrets }),
    catalog: catalog as unknown as AgentCatalog,
    bus: options.bus ?? new EventBus(),
    logs: new SessionLogs(store),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    metrics: new RuntimeMetrics(),
    bundle: "/b",
    agentEnv: {},
    quotas: new Quotas(store),
    limits,
  };
  const sessions = new SessionManager({ ...deps, warm: new WarmSandboxes(deps, { size: 0 }) });
  onTestFinished(() => sessions.close());
  return sessions;
}

export const json = (body: object, status = 200) => Response.json(body, { status });

/** A daemon that takes every session and message, and whose events are what `stream` says. */
export function daemonWith(stream: ScriptedDaemon): ScriptedDaemon {
  return (path, init) => {
    if (path === "/v1/health") return json({ status: "ok" });
    if (path.endsWith("/events/sse")) return stream(path, init);
    if (path.endsWith("/messages")) return json({ turnId: "t" }, 202);
    return json({ healthy: true });
  };
}

/** Events that stay open after these frames, or go on as long as `more` has some. */
export function sse(
  frames: string,
  more?: () => string | undefined | Promise<string>,
  type = "text/event-stream",
): Response {
  const encoder = new TextEncoder();
  const open = new ReadableStream<Uint8Array>(
    {
      start: (stream) => stream.enqueue(encoder.encode(frames)),
      pull: async (stream) => {
        const next = await more?.();
        if (next === undefined) return new Promise<void>(() => {});
        stream.enqueue(encoder.encode(next));
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(open, { headers: { "content-type": type } });
}

export const envelope = (sequence: number, type: string, data: object, sessionId = "s") => ({
  event_id: `evt_${sequence}`,
  sequence,
  time: "2026-01-01T00:00:00.000Z",
  session_id: sessionId,
  native_session_id: null,
  source: "agent",
  synthetic: false,
  type,
  data,
});

export const frame = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

/** The events of a session up to the end of its first turn. */
export async function eventsUntilTurnEnds(sessions: SessionManager, sessionId: string) {
  const log = await sessions.log(sessionId);
  let text = "";
  for await (const chunk of log.follow(0, { signal: new AbortController().signal, raw: false })) {
    text += chunk.text;
    if (text.includes('"type":"turn.ended"')) break;
  }
  const lines = text.trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}
