import type { BoxHost } from "../box/box-host.ts";
import { Ledger } from "../ledger.ts";
import type { ServiceOptions } from "../provider-service.ts";
import { DaytonaSandbox, type NewSandbox, type SandboxSize } from "./daytona-sandbox.ts";
import { inProgress, notFound, Refusal } from "./refusal.ts";

/** The snapshots that there are. */
const snapshots: Readonly<Record<string, SandboxSize>> = {
  "daytona-small": { cpu: 1, memory: 1, disk: 3 },
  "sandbox-agent": { cpu: 2, memory: 4, disk: 10 },
};
const defaultSnapshot = "daytona-small";
const largest: SandboxSize = { cpu: 4, memory: 8, disk: 10 };
const minute = 60_000;

/** All sandboxes of an organization, and what happens to them. Whoever asks for a change does not wait for it. */
export class Sandboxes {
  readonly ledger = new Ledger();
  readonly #host: BoxHost;
  readonly #options: ServiceOptions;
  readonly #all = new Map<string, DaytonaSandbox>();
  readonly #changes = new Set<Promise<void>>();

  constructor(host: BoxHost, options: ServiceOptions) {
    this.#host = host;
    this.#options = options;
  }

  get all(): readonly DaytonaSandbox[] {
    return [...this.#all.values()];
  }

  /** By its id, or by its name, which it gives up as soon as it is to be destroyed. */
  find(idOrName: string): DaytonaSandbox {
    const byName = () => this.all.find(({ name, state }) => name === idOrName && state !== "destroying");
    const found = this.#all.get(idOrName) ?? byName();
    if (found === undefined) throw notFound(idOrName);
    return found;
  }

  started(id: string): DaytonaSandbox | undefined {
    const found = this.#all.get(id);
    return found?.state === "started" ? found : undefined;
  }

  create(wished: NewSandbox): DaytonaSandbox {
    const size = sizeOf(wished);
    if (this.all.some(({ name, state }) => name === wished.name && state !== "destroying"))
      throw new Refusal(409, `Sandbox with name ${wished.name} already exists`);
    const sandbox = new DaytonaSandbox(wished, size);
    this.#all.set(sandbox.id, sandbox);
    this.ledger.created(sandbox.id, wished.labels);
    this.#change(sandbox, "creating", "started", async () => {
      const { mounts, reachable, withoutNode } = this.#options;
      sandbox.box = await this.#host.create({
        id: sandbox.id,
        home: "/home/daytona",
        user: "daytona",
        env: wished.env,
        mounts,
        reachable: wished.networkBlockAll ? [] : reachable,
        without: withoutNode ? ["node"] : [],
      });
    });
    return sandbox;
  }

  start(id: string): DaytonaSandbox {
    const sandbox = this.find(id);
    if (sandbox.state === "started") return sandbox;
    if (sandbox.isBusy) throw inProgress();
    if (sandbox.state !== "stopped") throw new Refusal(400, "Sandbox is in an errored state");
    sandbox.renewToken();
    this.ledger.resumed(sandbox.id);
    this.#change(sandbox, "starting", "started", () => sandbox.box!.start());
    return sandbox;
  }

  stop(id: string): DaytonaSandbox {
    const sandbox = this.find(id);
    if (sandbox.isBusy) throw inProgress();
    if (sandbox.state !== "started") throw new Refusal(400, "Sandbox is not in a stoppable state");
    if (sandbox.wished.autoDeleteInterval === 0) return this.destroy(sandbox.id);
    this.#change(sandbox, "stopping", "stopped", async () => {
      await sandbox.box!.stop();
      this.ledger.suspended(sandbox.id);
    });
    return sandbox;
  }

  destroy(id: string): DaytonaSandbox {
    const sandbox = this.find(id);
    if (sandbox.isBusy) throw inProgress();
    this.#change(sandbox, "destroying", "destroying", async () => {
      await sandbox.box?.destroy();
      this.#all.delete(sandbox.id);
      this.ledger.ended(sandbox.id, "request");
    });
    return sandbox;
  }

  /** Gone at once, whatever is being done with it. */
  async lose(id: string): Promise<void> {
    const sandbox = this.find(id);
    this.#all.delete(sandbox.id);
    this.ledger.ended(sandbox.id, "fault");
    await sandbox.box?.destroy();
  }

  /** Nobody used it for as long as it may stand idle. */
  async expire(id: string): Promise<void> {
    this.stop(id);
    await this.settled();
  }

  /** Somebody from outside uses it. */
  touch(sandbox: DaytonaSandbox): void {
    sandbox.lastActivityAt = Date.now();
    this.#schedule(sandbox);
  }

  setStopMinutes(id: string, minutes: number): DaytonaSandbox {
    const sandbox = this.find(id);
    sandbox.stopMinutes = minutes;
    this.#schedule(sandbox);
    return sandbox;
  }

  /** Nothing is being changed any more. */
  async settled(): Promise<void> {
    while (this.#changes.size > 0) await Promise.all(this.#changes);
  }

  #schedule(sandbox: DaytonaSandbox): void {
    const { box, state, stopMinutes, lastActivityAt } = sandbox;
    const at = state === "started" && stopMinutes > 0 ? lastActivityAt + stopMinutes * minute : undefined;
    box?.setDeadline(at, () => {
      if (sandbox.open > 0) this.touch(sandbox);
      else if (sandbox.state === "started") this.stop(sandbox.id);
    });
  }

  #change(
    sandbox: DaytonaSandbox,
    during: DaytonaSandbox["state"],
    after: DaytonaSandbox["state"],
    work: () => Promise<void>,
  ): void {
    sandbox.state = during;
    this.#schedule(sandbox);
    const settle = (state: DaytonaSandbox["state"]) => {
      sandbox.state = state;
      if (state === "started") this.touch(sandbox);
    };
    const change = work().then(
      () => settle(after),
      (error: unknown) => {
        sandbox.errorReason = String(error);
        settle("error");
      },
    );
    this.#changes.add(change);
    void change.then(() => this.#changes.delete(change));
  }
}

function sizeOf({ snapshot = defaultSnapshot, buildInfo, cpu, memory, disk }: NewSandbox): SandboxSize {
  if (buildInfo === undefined) {
    if (cpu !== undefined || memory !== undefined || disk !== undefined)
      throw new Refusal(400, "Cannot specify Sandbox resources when using a snapshot");
    if (!Object.hasOwn(snapshots, snapshot)) throw new Refusal(400, `Snapshot ${snapshot} not found`);
    return snapshots[snapshot]!;
  }
  const size = { ...snapshots[defaultSnapshot]!, ...defined({ cpu, memory, disk }) };
  for (const [name, most] of Object.entries(largest) as [keyof SandboxSize, number][])
    if (size[name] > most)
      throw new Refusal(400, `${name} request ${size[name]} exceeds maximum allowed per sandbox (${most}).`);
  return size;
}

const defined = (size: Partial<Record<keyof SandboxSize, number | undefined>>) =>
  Object.fromEntries(Object.entries(size).filter(([, value]) => value !== undefined));
