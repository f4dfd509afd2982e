import { SandboxError, type SandboxState, type SandboxStatus } from "@sandbox-agent-ts/protocol";
import { FileEvents } from "../events/file-events.ts";
import { AgentSandbox, type AgentSandboxDeps, sandboxDepsOf } from "../sandboxes/agent-sandbox.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import type { SandboxPlan } from "./sandbox-spec.ts";
import { SandboxWatch } from "./sandbox-watch.ts";
import type { SessionWriter } from "./session-writer.ts";

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
    return this.#sandbox !== undefined || this.#activation !== undefined;
  }

  get isActive(): boolean {
    return this.#sandbox !== undefined && !this.#isSuspended;
  }

  /** Find again what an earlier process left, without waking it. */
  async recover(): Promise<void> {
    const { deps, sessionId, onLost } = this.#options;
    const row = await deps.store.sandboxOf(sessionId);
    if (!row) return;
    this.#lastGeneration = row.generation;
    if (row.state === "ended") return;
    let why = "it was gone when the runtime was started again";
    const sandbox = await AgentSandbox.attach(this.#sandboxDeps, row).catch((err: unknown) => {
      why = `it could not be found again: ${err instanceof Error ? err.message : String(err)}`;
      deps.log.warn({ err, sessionId, sandboxId: row.sandboxId }, "a sandbox could not be found again");
      return undefined;
    });
    if (!sandbox || row.state === "creating") {
      await deps.store.updateSandbox(row.sandboxId, { state: "ended" });
      if (sandbox) await this.#discard(sandbox);
      await onLost(why);
      return;
    }
    this.#sandbox = sandbox;
    this.#isSuspended = (await sandbox.life().catch(() => undefined))?.state === "suspended";
    this.#setStatus("ready", this.#isSuspended ? "Suspended." : undefined);
    if (!this.#isSuspended) this.#follow(sandbox);
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
    await this.#activation?.done.catch(() => {});
    const sandbox = this.#sandbox;
    if (!sandbox) return;
    await this.#close(async () => {
      if (!this.#isSuspended) await this.#options.beforeEnd(sandbox);
      await this.#stopFollowing();
      await this.#end(sandbox, reason);
    });
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
      onLost,
    });
    const { bus, log } = deps;
    this.#files = new FileEvents({ sessionId, bus, log, sandbox, onUntrusted: onLost });
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
    if (!this.#state && !this.#sandbox) return;
    const { deps, onChange } = this.#options;
    const row = this.#sandbox?.row;
    const before = this.#state;
    this.#state = {
      sandboxId: row?.sandboxId ?? before?.sandboxId ?? "",
      status,
      ...(statusMessage === undefined ? {} : { statusMessage }),
      restartCount: row?.restartCount ?? before?.restartCount ?? 0,
      lastHealthCheck: Date.now(),
      generation: row?.generation ?? before?.generation ?? this.#lastGeneration,
      provider: deps.provider.name,
    };
    if (before?.status !== status || before.statusMessage !== statusMessage) onChange();
  }
}
