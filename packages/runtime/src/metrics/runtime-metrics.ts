import type { SandboxStatus, TurnEndReason } from "@sandbox-agent-ts/protocol";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { LogEntry } from "../mirror/encode-event.ts";

/** What is looked at when somebody asks, instead of counted. */
export interface MetricsSource {
  loadedSessions(): number;
  /** The sandbox of each loaded session that has one. */
  sandboxStatuses(): Iterable<SandboxStatus>;
  /** Sandboxes that wait for a session. */
  warmSandboxes(): Promise<number>;
}

export interface AppendedBatch {
  /** How many events. */
  readonly count: number;
  readonly seconds: number;
  /** Whether it came from a sandbox. */
  readonly isMirrored: boolean;
}

const sandboxStates = ["starting", "ready", "unhealthy", "warm"] as const;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const appendBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Of this process, whatever number of runtimes is in it; collected from the first look on. */
let processRegistry: Registry | undefined;

function processMetrics(): Registry {
  if (processRegistry) return processRegistry;
  processRegistry = new Registry();
  collectDefaultMetrics({
    register: processRegistry,
    eventLoopMonitoringPrecision: 100,
  });
  return processRegistry;
}

/**
 * What a runtime does, for Prometheus. No label has more values than are known beforehand: none names a session, a user or
 * a path that a client made up.
 */
export class RuntimeMetrics {
  readonly #registry = new Registry();
  readonly #turns: Counter<"reason">;
  readonly #events: Counter<"source">;
  readonly #appends: Histogram;
  readonly #restarts: Counter;
  readonly #requests: Counter<"method" | "route" | "status">;

  constructor() {
    const registers = [this.#registry];
    this.#turns = new Counter({
      name: "sandbox_agent_turns_total",
      help: "Turns that ended, by how they ended.",
      labelNames: ["reason"],
      registers,
    });
    for (const reason of ["completed", "interrupted", "error"] satisfies TurnEndReason[])
      this.#turns.inc({ reason }, 0);
    this.#events = new Counter({
      name: "sandbox_agent_events_total",
      help: "Events written to logs: mirrored from sandboxes, or the runtime's own.",
      labelNames: ["source"],
      registers,
    });
    for (const source of ["sandbox", "runtime"]) this.#events.inc({ source }, 0);
    this.#appends = new Histogram({
      name: "sandbox_agent_append_duration_seconds",
      help: "How long the store takes to keep a batch of events.",
      buckets: appendBuckets,
      registers,
    });
    this.#restarts = new Counter({
      name: "sandbox_agent_sandbox_restarts_total",
      help: "Daemons that were started again in their sandbox.",
      registers,
    });
    this.#requests = new Counter({
      name: "sandbox_agent_http_requests_total",
      help: "HTTP requests that were answered, by method, route and status.",
      labelNames: ["method", "route", "status"],
      registers,
    });
  }

  /** Have the numbers that are looked at read from here. */
  watch(source: MetricsSource): void {
    const registers = [this.#registry];
    new Gauge({
      name: "sandbox_agent_sessions_loaded",
      help: "Sessions in memory.",
      registers,
      collect() {
        this.set(source.loadedSessions());
      },
    });
    new Gauge({
      name: "sandbox_agent_sandboxes",
      help: "Sandboxes of loaded sessions by status, and those that wait for a session (warm).",
      labelNames: ["status"],
      registers,
      async collect() {
        const counts = new Map<string, number>(sandboxStates.map((status) => [status, 0]));
        for (const status of source.sandboxStatuses()) {
          const count = counts.get(status);
          if (count !== undefined) counts.set(status, count + 1);
        }
        counts.set("warm", await source.warmSandboxes());
        for (const [status, count] of counts) this.set({ status }, count);
      },
    });
  }

  appended(entries: readonly LogEntry[], { count, seconds, isMirrored }: AppendedBatch): void {
    this.#appends.observe(seconds);
    this.#events.inc({ source: isMirrored ? "sandbox" : "runtime" }, count);
    for (const { type, data } of entries) if (type === "turn.ended") this.#turns.inc({ reason: data.metadata.reason });
  }

  restarted(): void {
    this.#restarts.inc();
  }

  /** `route` is one of the route table, or undefined for what is not in it. */
  requested(method: string | undefined, route: string | undefined, status: number): void {
    const known = method !== undefined && methods.has(method) ? method : "other";
    this.#requests.inc({ method: known, route: route ?? "other", status: String(status) });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything in the text format of Prometheus. */
  async text(): Promise<string> {
    const parts = await Promise.all([processMetrics().metrics(), this.#registry.metrics()]);
    return parts.join("\n");
  }
}
