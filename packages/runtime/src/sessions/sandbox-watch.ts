import { setTimeout as delay } from "node:timers/promises";
import type { SandboxStatus } from "@sandbox-agent-ts/protocol";
import { UntrustedSandbox } from "../mirror/event-reader.ts";
import { mirrorEvents, UnreadStore } from "../mirror/mirror.ts";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";
import type { SandboxLife } from "../sandboxes/sandbox-provider.ts";
import { messageOf, outage, pauseAfter } from "./outage.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import type { SessionWriter } from "./session-writer.ts";

/** One reconnect is made at once by the client; what takes longer is looked into here. */
const reconnectOnce = { retries: 1, baseMs: 50, maxMs: 50 };
/** How often in a row the events of a daemon that says it is well may not come. */
const maxFailures = 5;
/** A connection that lasted longer was kept alive by the daemon, though nothing happened in the session. */
const steadyMs = 120_000;

export interface SandboxWatchOptions {
  readonly deps: RuntimeDeps;
  readonly sessionId: string;
  readonly writer: SessionWriter;
  readonly sandbox: AgentSandbox;
  readonly onStatus: (status: SandboxStatus, message?: string) => void;
  /** It was suspended: whether it is left so. Nothing is read from it then. */
  readonly staysSuspended: () => boolean;
  /** It is of no use any more, and nothing is read from it. */
  readonly onLost: (reason: string) => void;
}

/** Brings the events of a session's sandbox into its log, and has a daemon that died started again. */
export class SandboxWatch {
  readonly #options: SandboxWatchOptions;
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;
  readonly #unwatch: (() => void) | undefined;
  #mending: Promise<string | undefined> | undefined;
  /** Why its daemon was started again, said for as long as it is followed. */
  #restart: string | undefined;

  constructor(options: SandboxWatchOptions) {
    this.#options = options;
    const { deps, sessionId, sandbox, onLost } = options;
    this.#unwatch = deps.provider.watch?.((id) => {
      if (id === sandbox.row.providerId) void this.#look();
    });
    this.#done = this.#follow().then(
      (reason) => {
        if (reason !== undefined && !this.#abort.signal.aborted) onLost(reason);
      },
      (err: unknown) => deps.log.error({ err, sessionId, sandboxId: sandbox.id }, "a sandbox is no longer followed"),
    );
  }

  /** Resolves when nothing more is written of what it sent. */
  async stop(): Promise<void> {
    this.#unwatch?.();
    this.#abort.abort();
    await this.#done;
  }

  /** Wait for a daemon that does not answer, or start it again; why it is lost where that does not help. */
  mend(): Promise<string | undefined> {
    this.#mending ??= this.#revive().finally(() => {
      this.#mending = undefined;
    });
    return this.#mending;
  }

  /** Why the sandbox is lost; undefined when the session in it has ended, or nobody wants to know any more. */
  async #follow(): Promise<string | undefined> {
    const { deps, sessionId, writer, sandbox } = this.#options;
    const { signal } = this.#abort;
    const onConnection = (state: string) => void (state === "live" && this.#ready());
    for (let failures = 0; !signal.aborted; ) {
      const [begun, head] = [performance.now(), writer.head];
      try {
        await mirrorEvents({ sessionId, sandbox, writer, signal, reconnect: reconnectOnce, onConnection });
        return undefined;
      } catch (error) {
        if (signal.aborted) return undefined;
        if (writer.failure !== undefined) throw error;
        if (error instanceof UnreadStore) {
          deps.log.warn({ err: error.cause, sessionId }, "where a sandbox was read up to is not known yet");
          await delay(deps.limits.healthIntervalMs, undefined, { signal }).catch(() => {});
          continue;
        }
        if (error instanceof UntrustedSandbox) return error.message;
        if ((await lifeOf(sandbox)).state === "suspended" && this.#options.staysSuspended()) return undefined;
        const reason = await this.mend();
        if (reason !== undefined) return reason;
        const isSteady = writer.head > head || performance.now() - begun > steadyMs;
        failures = isSteady ? 0 : failures + 1;
        if (failures >= maxFailures) return `its events cannot be read: ${(error as Error).message}`;
        await delay(failures * deps.limits.healthIntervalMs, undefined, { signal }).catch(() => {});
      }
    }
    return undefined;
  }

  /** Somebody else suspended it, or let it go on. A message resumes it. */
  async #look(): Promise<void> {
    const { sandbox, onStatus } = this.#options;
    const { state } = await lifeOf(sandbox);
    if (this.#abort.signal.aborted || this.#mending !== undefined) return;
    if (state === "suspended") onStatus("unhealthy", "It was paused by somebody else; the next message lets it go on.");
    else if (state === "running") this.#ready();
  }

  #ready(): undefined {
    this.#options.onStatus("ready", this.#restart);
  }

  async #revive(): Promise<string | undefined> {
    const { deps, sessionId, sandbox, onStatus } = this.#options;
    const { healthIntervalMs, healthMisses, maxRestarts, startTimeoutMs, providerOutageMs } = deps.limits;
    const { signal } = this.#abort;
    const begun = performance.now();
    const deadline = begun + 2 * startTimeoutMs;
    let notResumed: string | undefined;
    for (let misses = 0; !signal.aborted; misses += 1) {
      if (await sandbox.isHealthy()) return this.#ready();
      const { state, error, why = state === "suspended" ? notResumed : undefined } = await lifeOf(sandbox);
      if (state === "gone") return why ?? "it is gone";
      onStatus("unhealthy", why ?? "The daemon does not answer.");
      const isWaiting = state === "unknown" || state === "suspended";
      if (isWaiting && performance.now() - begun > providerOutageMs) return outage(state, providerOutageMs, why);
      if (state === "suspended") {
        notResumed = await sandbox.resume().then(() => undefined, messageOf);
      } else if (state === "failed" || (state !== "unknown" && misses >= healthMisses)) {
        const isHopeless = sandbox.row.restartCount >= maxRestarts || performance.now() > deadline;
        if (isHopeless) return why ?? "its daemon does not answer";
        if (state === "failed") {
          const stderr = await sandbox.logs().catch(() => "");
          deps.log.warn({ sessionId, sandboxId: sandbox.id, why, stderr }, "a daemon ended");
        }
        try {
          await sandbox.restart(signal, why);
          deps.metrics.restarted();
          this.#restart = `It was started again: ${why ?? "the daemon did not answer."}`;
          return this.#ready();
        } catch (err) {
          deps.log.warn({ err, sessionId, sandboxId: sandbox.id }, "a daemon could not be started again");
        }
      }
      const pauseMs = pauseAfter(error, healthIntervalMs * 2 ** Math.min(sandbox.row.restartCount, 4));
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
    return undefined;
  }
}

/** A provider that does not answer knows nothing of it, and has lost nothing. */
async function lifeOf(
  sandbox: AgentSandbox,
): Promise<{ state: SandboxLife["state"] | "unknown"; why?: string | undefined; error?: unknown }> {
  try {
    return await sandbox.life();
  } catch (error) {
    return { state: "unknown", why: messageOf(error), error };
  }
}
