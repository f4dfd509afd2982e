import { SandboxError, type SandboxState, type SandboxStatus } from "@sandbox-agent-ts/protocol";
import { FileEvents } from "../events/file-events.ts";
import { AgentSandbox, type AgentSandboxDeps, sandboxDepsOf } from "../sandboxes/agent-sandbox.ts";
import { settledWithin } from "../settled-within.ts";
import type { StoredSandbox } from "../store/runtime-store.ts";
import { findSandbox } from "./find-sandbox.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import type { SandboxPlan } from "./sandbox-spec.ts";
import { SandboxWatch } from "./sandbox-watch.ts";
import type { SessionWriter } from "./session-writer.ts";

/** How long a session is not loaded for the sake of a provider that does not answer. */
const findingMs = 2_000;

export interface SessionSandboxOptions {
  readonly sessionId: string;
  /** The principal whose quota it counts for. */
  readonly owner: string;
  readonly deps: RuntimeDeps;
  readonly writer: SessionWriter;
  /** What a new sandbox is made of. */
  readonly spec: (generation: number) => Promise<SandboxPlan>;
  /** Make the session exist in the daemon of a new sandbox. */
  readonly prepare: (sandbox: AgentSandbox, onStep: (step: string) => void) => Promise<void>;
  /** Whether a turn runs, or is about to. */
  readonly isBusy: () => boolean;
  /** The last chance to take something from a sandbox that answers and is about to be ended. Never rejects. */
  readonly beforeEnd: (sandbox: AgentSandbox) => Promise<void>;
  readonly onChange: () => void;
  /** The sandbox is gone for good, with whatever ran in it. */
  readonly onLost: (reason: string) => Promise<void>;
}

/**
 * The sandbox of one session through its life: made when it is first needed, followed, looked after, started again, paused
 * when idle, and given up with a reason. At most one at a time; of many who need it at once all get the same.
 */
export class SessionSandbox {
  readonly #options: SessionSandboxOptions;
  readonly #sandboxDeps: AgentSandboxDeps;
  #sandbox: AgentSandbox | undefined;
  #state: SandboxState | null = null;
  #activation: { readonly done: Promise<AgentSandbox>; readonly abort: AbortController } | undefined;
  /** While it is not known whether the one of an earlier process is there. */
  #finding: { readonly done: Promise<void>; readonly abort: AbortController; readonly row: StoredSandbox } | undefined;
  #watch: SandboxWatch | undefined;
  #files: FileEvents | undefined;
  #closing: Promise<void> | undefined;
  #lastGeneration = 0;
  #isSuspended = false;
  #isReleased = false;

  constructor(options: SessionSandboxOptions) {
    this.#options = options;
    this.#sandboxDeps = sandboxDepsOf(options.deps);
  }

  get state(): SandboxState | null {
    return this.#state;
  }

  get current(): AgentSandbox | undefined {
    return this.#sandbox;
  }

  /** Whether there is one, perhaps asleep, or on its way. */
  get exists(): boolean {
    return this.#sandbox !== undefined || this.#activation !== undefined || this.#finding !== undefined;
  }

  get isActive(): boolean {
    return this.#sandbox !== undefined && !this.#isSuspended;
  }

  /** Find again what an earlier process left, without waking it. Where its provider does not answer, that goes on. */
  async recover(): Promise<void> {
    const { deps, sessionId } = this.#options;
    const row = await deps.store.sandboxOf(sessionId);
    if (!row) return;
    this.#lastGeneration = row.generation;
    if (row.state === "ended") return;
    const abort = new AbortController();
    let tellAway: (() => void) | undefined;
    const away = new Promise<void>((resolve) => {
      tellAway = resolve;
    });
    const find = () =>
      row.state === "creating" ? this.#dropUnfinished(row) : this.#find(row, abort.signal, tellAway!);
    const done = find().finally(() => {
      this.#finding = undefined;
    });
    this.#finding = { done, abort, row };
    done.catch((err: unknown) => deps.log.error({ err, sessionId }, "a sandbox could not be found again"));
    await settledWithin(Promise.race([done, away]), findingMs);
  }

  /** Resolves when it is known whether the one of an earlier process is there. */
  async found(): Promise<void> {
    await this.#finding?.done;
  }

  async #find(row: StoredSandbox, signal: AbortSignal, tellAway: () => void): Promise<void> {
    const { deps, sessionId, onLost } = this.#options;
    const onAway = (why: string) => {
      tellAway();
      if (!this.#state) deps.log.warn({ sessionId, sandboxId: row.sandboxId, why }, "a sandbox is not found again yet");
      this.#stateOf(row, "unhealthy", why);
    };
    const found = await findSandbox(this.#sandboxDeps, row, { limits: deps.limits, signal, onAway });
    if (!found || signal.aborted) return;
    if ("lost" in found) {
      await this.#forget(row, found.lost);
      return onLost(found.lost);
    }
    this.#sandbox = found.sandbox;
    this.#isSuspended = found.isSuspended;
    this.#setStatus("ready", found.isSuspended ? "Suspended." : undefined);
    if (!found.isSuspended) this.#follow(found.sandbox);
  }

  /** Nothing ran yet in one that was not made to its end. */
  async #dropUnfinished(row: StoredSandbox): Promise<void> {
    const why = "it was not finished when the runtime ended";
    await this.#forget(row, why);
    await this.#options.onLost(why);
    const unfinished = await AgentSandbox.attach(this.#sandboxDeps, row).catch(() => undefined);
    if (unfinished) await this.#discard(unfinished);
  }

  /** Its row stays, and tells the reaper to end it. */
  async #forget(row: StoredSandbox, reason: string): Promise<void> {
    await this.#options.deps.store.updateSandbox(row.sandboxId, { state: "ended" });
    this.#stateOf(row, "terminated", reason);
  }

  /** The sandbox, ready to be used; made, resumed or started again where needed. */
  activate(): Promise<AgentSandbox> {
    if (this.#isReleased) return Promise.reject(new SandboxError("session_ended", "The session was unloaded."));
    if (!this.#activation) {
      const abort = new AbortController();
      const done = this.#activate(abort.signal).finally(() => {
        this.#activation = undefined;
      });
      this.#activation = { done, abort };
    }
    return this.#activation.done;
  }

  /** Give up a start that is under way; answers whether there was one. */
  cancelActivation(): boolean {
    this.#activation?.abort.abort(new SandboxError("session_ended", "The start of the sandbox was given up."));
    return this.#activation !== undefined && this.#sandbox === undefined;
  }

  async #activate(signal: AbortSignal): Promise<AgentSandbox> {
    await unlessAborted(this.found(), signal);
    await this.#closing;
    if (this.#sandbox && this.#isSuspended) await this.#resume(this.#sandbox);
    if (this.#sandbox) await this.#ensureAlive(this.#sandbox);
    if (this.#sandbox) return this.#sandbox;
    signal.throwIfAborted();
    const { owner, writer, deps } = this.#options;
    return deps.quotas.sandbox(owner, writer.lease, () => this.#create(signal));
  }

  async #create(signal: AbortSignal): Promise<AgentSandbox> {
    const { deps, sessionId, prepare } = this.#options;
    const previous = await deps.store.sandboxOf(sessionId);
    const generation = Math.max(this.#lastGeneration, previous?.generation ?? 0) + 1;
    this.#state = {
      sandboxId: "",
      status: "starting",
      restartCount: 0,
      lastHealthCheck: 0,
      generation,
      provider: deps.provider.name,
    };
    const onStep = (step: string) => this.#setStatus("starting", step);
    let sandbox: AgentSandbox | undefined;
    try {
      onStep("Preparing the agent …");
      const { spec, template } = await this.#options.spec(generation);
      sandbox =
        (await deps.warm.claim(template, sessionId, generation)) ??
        (await AgentSandbox.create({
          deps: this.#sandboxDeps,
          spec,
          template,
          sessionId,
          generation,
          onStep,
          signal,
        }));
      // Not before the new one is kept: the generation counts on, whoever is killed when.
      if (previous) await deps.store.deleteSandbox(previous.sandboxId);
      this.#state = { ...this.#state, sandboxId: sandbox.id };
      await prepare(sandbox, onStep);
      await sandbox.ready();
      signal.throwIfAborted();
      this.#lastGeneration = generation;
      this.#sandbox = sandbox;
      this.#setStatus("ready");
      deps.log.info({ sessionId, sandboxId: sandbox.id, generation }, "a sandbox is ready");
      this.#follow(sandbox);
      return sandbox;
    } catch (error) {
      if (sandbox) await this.#discard(sandbox);
      this.#state = null;
      this.#options.onChange();
      throw error;
    }
  }

  /** Where it cannot be ended now, its row tells the reaper to. */
  async #discard(sandbox: AgentSandbox): Promise<void> {
    const { deps, sessionId } = this.#options;
    await sandbox.terminate().catch((err: unknown) => {
      deps.log.error({ err, sessionId, sandboxId: sandbox.id }, "a sandbox could not be ended");
    });
  }

  /** Pause it, or end it where it cannot be paused. */
  async suspend(): Promise<void> {
    const sandbox = this.#sandbox;
    if (!sandbox || this.#isSuspended) return;
    if (this.#options.deps.provider.can.suspend === false) return this.terminate("Nothing happened for a long time.");
    await this.#stopFollowing();
    await sandbox.suspend();
    this.#isSuspended = true;
    this.#setStatus("ready", "Suspended.");
  }

  async #resume(sandbox: AgentSandbox): Promise<void> {
    this.#setStatus("starting", "Resuming the sandbox …");
    const isThere = await sandbox.resume();
    this.#isSuspended = false;
    if (!isThere) return this.giveUp(sandbox, "it was ended while it was suspended");
    await sandbox.ensureDaemon();
    this.#setStatus("ready");
    this.#follow(sandbox);
  }

  /** End it; the session stays. Succeeds also when the sandbox is dead or does not answer. */
  async terminate(reason: string): Promise<void> {
    this.cancelActivation();
    const sought = await this.#stopFinding();
    await this.#activation?.done.catch(() => {});
    const sandbox = this.#sandbox;
    if (!sandbox && sought) await this.#forget(sought, reason);
    if (!sandbox) return;
    await this.#close(async () => {
      if (!this.#isSuspended) await this.#options.beforeEnd(sandbox);
      await this.#stopFollowing();
      await this.#end(sandbox, reason);
    });
  }

  /** Answers which one was being looked for. */
  async #stopFinding(): Promise<StoredSandbox | undefined> {
    const finding = this.#finding;
    finding?.abort.abort();
    await finding?.done.catch(() => {});
    return finding?.row;
  }

  /** What ends a sandbox is over before the next one is made, so that nothing of it is taken for the next one's. */
  #close(work: () => Promise<void>): Promise<void> {
    const closing = (this.#closing ?? Promise.resolve()).then(work).finally(() => {
      if (this.#closing === closing) this.#closing = undefined;
    });
    this.#closing = closing;
    return closing;
  }

  /** Let go of it without ending it: another process will find it again. */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.cancelActivation();
    await this.#stopFinding();
    await this.#activation?.done.catch(() => {});
    await this.#stopFollowing();
    await this.#closing?.catch(() => {});
  }

  #follow(sandbox: AgentSandbox): void {
    const { deps, sessionId, writer } = this.#options;
    const onLost = (reason: string) => {
      this.giveUp(sandbox, reason).catch((err: unknown) =>
        deps.log.error({ err, sessionId, sandboxId: sandbox.id }, "what a lost sandbox left could not be closed"),
      );
    };
    this.#watch = new SandboxWatch({
      deps,
      sessionId,
      writer,
      sandbox,
      onStatus: (status, message) => this.#sandbox === sandbox && this.#setStatus(status, message),
      staysSuspended: () => this.#staysSuspended(sandbox),
      onLost,
    });
    const { bus, log } = deps;
    this.#files = new FileEvents({ sessionId, bus, log, sandbox, onUntrusted: onLost });
  }

  /** Its service has suspended it at the end of its life: nobody needs it, so it is not woken. */
  #staysSuspended(sandbox: AgentSandbox): boolean {
    if (this.#sandbox !== sandbox || this.#activation || this.#closing || this.#options.isBusy()) return false;
    this.#isSuspended = true;
    void this.#stopFollowing();
    this.#setStatus("ready", "Suspended.");
    return true;
  }

  async #stopFollowing(): Promise<void> {
    this.#files?.close();
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.stop();
  }

  /** Before something is sent to it: that it died may not have been noticed yet. */
  async #ensureAlive(sandbox: AgentSandbox): Promise<void> {
    if (await sandbox.isHealthy()) return;
    const reason = await this.#watch?.mend();
    if (reason !== undefined) await this.giveUp(sandbox, reason);
  }

  /** It is of no use any more: what ran in it ends with this reason, and the next message gets another. */
  giveUp(sandbox: AgentSandbox, reason: string): Promise<void> {
    return this.#close(async () => {
      if (this.#sandbox !== sandbox) return;
      const { deps, sessionId, onLost } = this.#options;
      deps.log.warn({ sessionId, sandboxId: sandbox.id, reason }, "a sandbox is lost");
      await this.#stopFollowing();
      await this.#end(sandbox, reason);
      await onLost(reason);
    });
  }

  async #end(sandbox: AgentSandbox, reason: string): Promise<void> {
    this.#sandbox = undefined;
    this.#isSuspended = false;
    await this.#discard(sandbox);
    this.#setStatus("terminated", reason);
  }

  #setStatus(status: SandboxStatus, statusMessage?: string): void {
    const row = this.#sandbox?.row;
    const known = row ?? this.#state;
    if (known) this.#stateOf(known, status, statusMessage);
  }

  #stateOf(
    {
      sandboxId,
      restartCount,
      generation,
      provider,
    }: Omit<SandboxState, "status" | "statusMessage" | "lastHealthCheck">,
    status: SandboxStatus,
    statusMessage: string | undefined,
  ): void {
    const { onChange } = this.#options;
    const before = this.#state;
    this.#state = {
      sandboxId,
      status,
      ...(statusMessage === undefined ? {} : { statusMessage }),
      restartCount,
      lastHealthCheck: Date.now(),
      generation,
      provider,
    };
    if (before?.status !== status || before.statusMessage !== statusMessage) onChange();
  }
}

/** What is waited for, or the reason why nobody waits any more. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop!);
  }
}
