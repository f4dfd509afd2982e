import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { Box } from "../box/box.ts";
import type { BoxHost } from "../box/box-host.ts";
import { Ledger, type LedgerEnd } from "../ledger.ts";
import type { ServiceOptions } from "../provider-service.ts";
import { Daemon } from "./daemon.ts";
import { gone, Refusal, unknown } from "./refusal.ts";

const programs = "/opt/sandbox-agent-programs";
const defaultIdleMs = 10 * 60_000;

type Labels = Readonly<Record<string, string>>;

export interface NewContainer {
  readonly labels?: Labels;
  readonly env?: Readonly<Record<string, string>>;
  readonly idleMs?: number;
  readonly network?: "on" | "off";
}

/** What the Worker keeps of a container, also after its end. */
interface Registered {
  readonly id: string;
  readonly labels: Labels;
  readonly createdAt: number;
  readonly idleMs: number;
  keptUntil: number;
  /** Rejects where it was ended before. */
  running: Promise<Running>;
  endedWhy?: string;
}

export interface Running {
  readonly box: Box;
  readonly daemon: Daemon;
  readonly connections: Set<Duplex>;
}

/** The containers of the Worker and its list of them. */
export class Containers {
  readonly ledger = new Ledger();
  readonly #host: BoxHost;
  readonly #options: ServiceOptions;
  readonly #all = new Map<string, Registered>();
  /** In the place of agents' programs. */
  readonly #nothing = mkdtempSync(join(tmpdir(), "cloudflare-service-"));

  constructor(host: BoxHost, options: ServiceOptions) {
    this.#host = host;
    this.#options = options;
    mkdirSync(join(this.#nothing, "programs"));
  }

  /** The one that is there, if it has this name and these labels. */
  async create(id: string, wished: NewContainer) {
    const found = this.#all.get(id);
    if (found?.endedWhy !== undefined) throw gone(id, found.endedWhy);
    const { labels = {}, idleMs = defaultIdleMs } = wished;
    if (found && JSON.stringify(found.labels) !== JSON.stringify(labels))
      throw new Refusal(409, "conflict", `There is a box "${id}" with other labels.`);
    const registered = found ?? this.#register(id, labels, idleMs, wished);
    await registered.running;
    if (registered.endedWhy !== undefined) throw gone(id, registered.endedWhy);
    return this.look(id);
  }

  async look(id: string) {
    const found = this.#all.get(id);
    if (found === undefined) throw unknown(id);
    const { labels, createdAt, endedWhy } = found;
    if (endedWhy !== undefined) return { id, labels, createdAt, state: "gone", why: endedWhy };
    const { box, daemon } = await found.running;
    const { state, exitCode } = daemon.look;
    const seen = state === "none" ? "starting" : state === "ended" ? "failed" : "running";
    return { id, labels, createdAt, state: seen, exitCode, expiresAt: box.deadline };
  }

  list(label: { readonly key: string; readonly value: string }, after: string, limit: number) {
    const ids = [...this.#all.keys()].filter((id) => id > after).sort();
    const found = ids
      .map((id) => this.#all.get(id)!)
      .filter(({ endedWhy, labels }) => endedWhy === undefined && labels[label.key] === label.value)
      .slice(0, limit);
    const boxes = found.map(({ id, labels, createdAt }) => ({ id, labels, createdAt }));
    return { boxes, ...(boxes.length < limit ? {} : { next: boxes.at(-1)!.id }) };
  }

  /** Somebody does something with it, which keeps it awake. */
  async running(id: string): Promise<Running> {
    const found = this.#all.get(id);
    if (found === undefined) throw unknown(id);
    if (found.endedWhy !== undefined) throw gone(id, found.endedWhy);
    const running = await found.running;
    this.#renew(found, running);
    return running;
  }

  async keep(id: string, ms: number): Promise<void> {
    const running = await this.running(id);
    const found = this.#all.get(id)!;
    found.keptUntil = Date.now() + ms;
    this.#renew(found, running);
  }

  /** Also one that never was, which then never will be. */
  async end(id: string, by: LedgerEnd, why: string): Promise<void> {
    const found = this.#all.get(id);
    if (found?.endedWhy !== undefined) return;
    if (found === undefined) {
      const running = Promise.reject(gone(id, why));
      running.catch(() => {});
      this.#all.set(id, { id, labels: {}, createdAt: Date.now(), idleMs: 0, keptUntil: 0, running, endedWhy: why });
      return;
    }
    found.endedWhy = why;
    const { box, connections } = await found.running;
    for (const connection of connections) connection.destroy();
    await box.destroy();
    this.ledger.ended(id, by);
  }

  fallAsleep(id: string): Promise<void> {
    const seconds = Math.round((this.#all.get(id)?.idleMs ?? 0) / 1000);
    const why = `It fell asleep after ${seconds} seconds without a request, and what was in it is lost.`;
    return this.end(id, "deadline", why);
  }

  close(): void {
    rmSync(this.#nothing, { recursive: true, force: true });
  }

  #register(id: string, labels: Labels, idleMs: number, wished: NewContainer): Registered {
    const running = this.#start(id, wished);
    const made: Registered = { id, labels, createdAt: Date.now(), idleMs, keptUntil: 0, running };
    this.#all.set(id, made);
    this.ledger.created(id, labels);
    running.then((started) => this.#renew(made, started)).catch(() => {});
    return made;
  }

  async #start(id: string, { env = {}, network }: NewContainer): Promise<Running> {
    const { mounts = {}, reachable = [] } = this.#options;
    const box = await this.#host.create({
      id,
      home: "/home/agent",
      user: "agent",
      env,
      mounts: { [programs]: join(this.#nothing, "programs"), ...mounts },
      reachable: network === "off" ? [] : reachable,
    });
    return { box, daemon: await Daemon.in(box), connections: new Set() };
  }

  #renew(found: Registered, running: Running): void {
    if (found.endedWhy !== undefined) return;
    const at = Math.max(Date.now() + found.idleMs, found.keptUntil);
    running.box.setDeadline(at, () => {
      if (running.connections.size > 0) this.#renew(found, running);
      else void this.fallAsleep(found.id);
    });
  }
}
