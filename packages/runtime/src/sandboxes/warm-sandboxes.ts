import type { RuntimeDeps } from "../sessions/runtime-deps.ts";
import { planOf, type SandboxPlan, type SandboxWishes } from "../sessions/sandbox-spec.ts";
import { isWarm, type StoredSandbox } from "../store/runtime-store.ts";
import { AgentSandbox, type AgentSandboxDeps, sandboxDepsOf } from "./agent-sandbox.ts";
import { rehearse } from "./rehearse.ts";
import { SandboxPool } from "./sandbox-pool.ts";

export interface PoolOptions {
  /** How many sandboxes wait for a session. */
  readonly size: number;
  /** How many are made at once. Default: 2. */
  readonly maxAtOnce?: number | undefined;
  /** What a session must wish to get one of them. Default: nothing. */
  readonly sandbox?: SandboxWishes | undefined;
}

/** Who a sandbox belongs to that is about to be ended; no session has this id. */
const nobody = "";

/**
 * Sandboxes with a daemon in them that wait for a session. They are in the store and outlive the runtime; what another
 * runtime left is used where it is of the same template, and ended where it is not.
 */
export class WarmSandboxes {
  readonly #deps: Omit<RuntimeDeps, "warm">;
  readonly #options: PoolOptions;
  readonly #sandboxDeps: AgentSandboxDeps;
  readonly #pool: SandboxPool;

  constructor(deps: Omit<RuntimeDeps, "warm">, options: PoolOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#sandboxDeps = sandboxDepsOf(deps);
    this.#pool = new SandboxPool({
      ready: async (template) => (await this.#waiting()).filter((row) => row.template === template).length,
      make: (template, signal) => this.#make(template, signal),
      maxAtOnce: options.maxAtOnce,
      onProblem: (template, err) => deps.log.warn({ err, template }, "a sandbox could not be made in advance"),
    });
  }

  /** End what is too many, of another template or dead, and have made in the background what is missing. */
  async tend(): Promise<void> {
    const { size } = this.#options;
    const { template } = await this.#plan();
    let kept = 0;
    for (const row of await this.#waiting()) {
      const isWanted = row.template === template && kept < size && (await this.#isAlive(row));
      if (isWanted) kept += 1;
      else await this.#retire(row);
    }
    this.#pool.keep(template, size);
  }

  /** One for this session, if any is ready; another is made in its place. */
  async claim(template: string, sessionId: string, generation: number): Promise<AgentSandbox | undefined> {
    const { store, log } = this.#deps;
    const row = await this.#pool.claim(template, () => store.claimSandbox(template, sessionId, generation));
    if (!row) return undefined;
    try {
      const sandbox = await AgentSandbox.attach(this.#sandboxDeps, row);
      if (sandbox && (await sandbox.isHealthy())) return sandbox;
    } catch (err) {
      log.warn({ err, sessionId, sandboxId: row.sandboxId }, "a sandbox that waited cannot be used");
    }
    await this.#end(row);
    return undefined;
  }

  /** Resolves when nothing is being made. */
  async settled(): Promise<void> {
    await this.#pool.settled((await this.#plan()).template);
  }

  /** Make no more; those that wait stay for the next runtime. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  #plan(): Promise<SandboxPlan> {
    return planOf(this.#deps, this.#options.sandbox ?? {}, { pool: "warm" });
  }

  async #waiting(): Promise<readonly StoredSandbox[]> {
    const { store, provider } = this.#deps;
    return (await store.sandboxes()).filter((row) => row.provider === provider.name && isWarm(row));
  }

  async #make(template: string, signal: AbortSignal): Promise<void> {
    await this.#deps.catalog.preparePrograms();
    const { spec } = await this.#plan();
    const deps = this.#sandboxDeps;
    const onMade = async (made: AgentSandbox) => {
      try {
        await rehearse(made, signal);
      } catch (err) {
        signal.throwIfAborted();
        this.#deps.log.warn({ err, sandboxId: made.id }, "a sandbox that waits could not be tried out");
      }
    };
    await AgentSandbox.create({ deps, spec, template, generation: 0, signal, onMade });
  }

  async #isAlive(row: StoredSandbox): Promise<boolean> {
    try {
      const sandbox = await AgentSandbox.attach(this.#sandboxDeps, row);
      if (sandbox === undefined || !(await sandbox.isHealthy())) return false;
      await this.#keepAlive(sandbox);
      return true;
    } catch {
      return false;
    }
  }

  /** Nothing runs in one that waits, and it is to wait as long as nobody wants it. */
  async #keepAlive(sandbox: AgentSandbox): Promise<void> {
    const { provider, limits } = this.#deps;
    if (!provider.can.extend) return;
    const { expiresAt } = await sandbox.life();
    const isHalfOver = expiresAt !== undefined && expiresAt - Date.now() < limits.sandboxLifeMs / 2;
    if (isHalfOver) await sandbox.extendAfter(0, limits.sandboxLifeMs);
  }

  /** Whoever claims it first has it: a session, or its end. */
  async #retire({ template, sandboxId }: StoredSandbox): Promise<void> {
    const row = await this.#deps.store.claimSandbox(template, nobody, -1, sandboxId);
    if (row) await this.#end(row);
  }

  /** What cannot be ended now is left to the reaper: its row says that it has. */
  async #end({ sandboxId, providerId }: StoredSandbox): Promise<void> {
    const { store, provider, log } = this.#deps;
    await store.updateSandbox(sandboxId, { state: "ended" });
    try {
      await (await provider.attach(providerId))?.destroy();
      await store.deleteSandbox(sandboxId);
    } catch (err) {
      log.warn({ err, sandboxId }, "a sandbox that waited could not be ended");
    }
  }
}
