import { randomBytes } from "node:crypto";
import type { Box, BoxOptions } from "../../../../../testing/src/providers/box/box.ts";
import { type BoxHost, openBoxHost } from "../../../../../testing/src/providers/box/box-host.ts";
import { type Fault, type FaultPlan, Faults } from "../../../../../testing/src/providers/faults.ts";
import { Ledger, type LedgerEnd } from "../../../../../testing/src/providers/ledger.ts";
import type { SandboxCapabilities, SandboxSpec } from "../../sandbox-provider.ts";
import { SandboxProviderError } from "../../sandbox-provider.ts";
import type { ServiceUnderTest } from "../contract/hosted-under-test.ts";
import { goneError } from "../provider-error.ts";

const defaultLifeMs = 30 * 60_000;
const home = "/home/user";

export interface Machine {
  readonly id: string;
  readonly box: Box;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: number;
  /** Changes with its place. */
  pass: string;
}

/** What all its machines have, and have not. */
type Image = Pick<BoxOptions, "mounts" | "without">;

export type MachineKind = Pick<SandboxCapabilities, "suspend" | "extend">;

/**
 * A hosting service that has no protocol of its own: machines with deadlines, faults and books, as a provider has them by an
 * SDK. The suite is tried on it.
 */
export class MadeUpService implements ServiceUnderTest {
  readonly kind: MachineKind;
  readonly env = {};
  readonly ledger = new Ledger();
  readonly requests: unknown[] = [];
  readonly machines = new Map<string, Machine>();
  readonly #host: BoxHost;
  readonly #image: Image;
  readonly #planned = new Faults();
  readonly #hanging = new Set<() => void>();

  private constructor(kind: MachineKind, host: BoxHost, image: Image) {
    this.kind = kind;
    this.#host = host;
    this.#image = image;
  }

  static async start(kind: MachineKind, image: Image = {}): Promise<MadeUpService> {
    return new MadeUpService(kind, await openBoxHost(), image);
  }

  get boxes(): ReadonlyMap<string, Box> {
    return this.#host.boxes;
  }

  get faults() {
    const planned = this.#planned;
    const hanging = this.#hanging;
    return {
      plan: (plan: FaultPlan) => planned.plan(plan),
      get happened() {
        return planned.happened;
      },
      get hanging() {
        return hanging.size;
      },
      clear: () => {
        planned.clear();
        for (const release of hanging) release();
      },
    };
  }

  lose(id: string): Promise<void> {
    return this.end(id, "fault");
  }

  /** One that keeps its memory is suspended then. */
  async expire(id: string): Promise<void> {
    const machine = this.machines.get(id);
    if (!machine) return;
    if (this.kind.suspend === "memory") await this.suspend(machine);
    else await this.end(id, "deadline");
  }

  async move(id: string): Promise<void> {
    this.find(id).pass = randomBytes(4).toString("hex");
  }

  async close(): Promise<void> {
    this.faults.clear();
    for (const id of this.machines.keys()) await this.end(id, "service");
    await this.#host.close();
  }

  /** What its API does: recorded, and with the faults that are planned. */
  async call<T>(name: string, about: unknown, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    this.requests.push({ name, about });
    const id = typeof about === "string" ? about : undefined;
    const fault = this.#planned.next({ name, id, request: { headers: {} } });
    if (fault === undefined) return work();
    if (fault.kind === "hang") await this.#hang(signal);
    if (fault.kind === "lost-answer") await work();
    throw errorOf(fault);
  }

  /** What is wrong with a request to a port, if anything is. */
  portFault(id: string): Fault | undefined {
    return this.#planned.next({ name: "port", id, request: { headers: {} } });
  }

  find(id: string): Machine {
    const machine = this.machines.get(id);
    if (!machine) throw goneError(id);
    return machine;
  }

  async create({ labels, lifeMs }: SandboxSpec): Promise<Machine> {
    const id = `made-${randomBytes(6).toString("hex")}`;
    const box = await this.#host.create({ ...this.#image, id, home });
    const machine: Machine = { id, box, labels, createdAt: Date.now(), pass: "first" };
    this.machines.set(id, machine);
    this.ledger.created(id, labels);
    this.extend(machine, lifeMs ?? defaultLifeMs);
    return machine;
  }

  extend({ id, box }: Machine, lifeMs: number): void {
    box.setDeadline(Date.now() + lifeMs, () => void this.expire(id));
  }

  async suspend({ id, box }: Machine): Promise<void> {
    box.setDeadline(undefined, () => {});
    await (this.kind.suspend === "memory" ? box.freeze() : box.stop());
    this.ledger.suspended(id);
  }

  async resume(machine: Machine): Promise<void> {
    await (this.kind.suspend === "memory" ? machine.box.thaw() : machine.box.start());
    this.ledger.resumed(machine.id);
    this.extend(machine, defaultLifeMs);
  }

  async end(id: string, by: LedgerEnd): Promise<void> {
    const machine = this.machines.get(id);
    if (!machine) return;
    this.machines.delete(id);
    this.ledger.ended(id, by);
    await machine.box.destroy();
  }

  async #hang(signal: AbortSignal | undefined): Promise<void> {
    let resolve!: () => void;
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    this.#hanging.add(resolve);
    signal?.addEventListener("abort", () => resolve());
    await promise;
    this.#hanging.delete(resolve);
    signal?.throwIfAborted();
  }
}

function errorOf(fault: Fault): SandboxProviderError {
  if (fault.kind === "expired-key")
    return new SandboxProviderError(
      "unauthorized",
      "The service refused the key. Set MADE_UP_KEY to one that is valid.",
    );
  if (fault.kind === "status" && fault.status === 429) {
    const retryAfterMs = (fault.retryAfterSeconds ?? 1) * 1_000;
    return new SandboxProviderError("rate_limited", "Too many requests.", { retryAfterMs });
  }
  return new SandboxProviderError("unavailable", "The service does not work at the moment.");
}
