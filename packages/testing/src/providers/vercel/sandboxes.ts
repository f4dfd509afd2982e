import { randomBytes } from "node:crypto";
import type { Box } from "../box/box.ts";
import type { BoxHost } from "../box/box-host.ts";
import { Ledger, type LedgerEnd } from "../ledger.ts";
import type { ServiceOptions } from "../provider-service.ts";
import { PortRoute, type PortRouteOptions } from "./port-route.ts";
import { notFound, Refusal, stopped } from "./refusal.ts";
import { type NewSandbox, type Snapshot, VercelSandbox, VercelSession } from "./vercel-sandbox.ts";

const minute = 60_000;
const defaultTimeoutMs = 5 * minute;
const longestTimeoutMs = 24 * 60 * minute;
const mostPorts = 15;
const mostTags = 5;

/** What this project has, beside Vercel's own images. Its machines have what the service was told to mount. */
const images = new Set(["sandbox-agent"]);
const ownSnapshots = new Set(["snap_sandbox_agent"]);

type Interference = Omit<PortRouteOptions, "port">;

/** All sandboxes of a project, and what happens to them. */
export class Sandboxes {
  readonly ledger = new Ledger();
  /** What is kept, and billed, of sessions that ended. */
  readonly snapshots: Snapshot[] = [];
  readonly #host: BoxHost;
  readonly #options: ServiceOptions;
  readonly #interference: (name: string) => Interference;
  readonly #all = new Map<string, VercelSandbox>();
  readonly #routes: PortRoute[] = [];

  constructor(host: BoxHost, options: ServiceOptions, interference: (name: string) => Interference) {
    this.#host = host;
    this.#options = options;
    this.#interference = interference;
  }

  get all(): readonly VercelSandbox[] {
    return [...this.#all.values()];
  }

  find(name: string): VercelSandbox {
    const found = this.#all.get(name);
    if (found === undefined) throw notFound(`Sandbox ${name}`);
    return found;
  }

  /** The sandbox whose current session this is; 410 where the session has ended. */
  ofSession(id: string): VercelSandbox {
    const found = this.all.find(({ session }) => session.id === id);
    if (found?.session.status !== "running") throw stopped();
    return found;
  }

  async create(wished: NewSandbox): Promise<VercelSandbox> {
    check(wished);
    const { name = `sandbox-${randomBytes(8).toString("hex")}`, timeout = defaultTimeoutMs, env } = wished;
    if (this.#all.has(name)) throw new Refusal(409, "conflict", `There is a sandbox ${name} already.`);
    const { mounts, reachable, withoutNode } = this.#options;
    const box = await this.#host.create({
      id: name,
      home: "/home/vercel-sandbox",
      user: "vercel-sandbox",
      writable: ["/vercel/sandbox"],
      env,
      mounts,
      reachable: wished.networkPolicy?.mode === "deny-all" ? [] : reachable,
      without: withoutNode ? ["node"] : [],
    });
    const sandbox = new VercelSandbox(box, wished, await this.#begin(box, wished, timeout));
    this.#all.set(name, sandbox);
    this.ledger.created(name, wished.tags);
    this.#setDeadline(sandbox);
    return sandbox;
  }

  /** A new session of what was kept, unless one runs. True where there was none. */
  resume(name: string): Promise<boolean> {
    const sandbox = this.find(name);
    return sandbox.inTurn(async () => {
      this.find(name);
      if (sandbox.session.status === "running") return false;
      if (!this.snapshots.some((kept) => kept.sandbox === name))
        throw new Refusal(410, "snapshot_not_found", "The snapshot of this sandbox was not found.");
      await sandbox.box.start();
      const { timeout = defaultTimeoutMs } = sandbox.wished;
      sandbox.session = await this.#begin(sandbox.box, sandbox.wished, timeout);
      this.ledger.resumed(name);
      this.#setDeadline(sandbox);
      return true;
    });
  }

  /** Ends its session. What is on its disk is kept as a snapshot, if it is persistent. */
  stop(name: string, by: LedgerEnd): Promise<Snapshot | undefined> {
    const sandbox = this.find(name);
    return sandbox.inTurn(async () => {
      this.find(name);
      const { session, box } = sandbox;
      if (session.status === "stopped") return undefined;
      session.status = "stopped";
      session.stoppedAt = Date.now();
      box.setDeadline(undefined, () => {});
      for (const route of session.routes) route.cut(410, "SANDBOX_STOPPED");
      if (!sandbox.isPersistent) {
        this.ledger.ended(name, by);
        await box.destroy();
        return undefined;
      }
      await box.stop();
      session.snapshottedAt = Date.now();
      this.ledger.suspended(name);
      return this.#keep(sandbox);
    });
  }

  /** More than what it has. */
  extend(sandbox: VercelSandbox, ms: number): void {
    const timeout = sandbox.session.timeout + ms;
    if (timeout > longestTimeoutMs)
      throw new Refusal(400, "bad_request", "A sandbox cannot run for longer than 24 hours.");
    sandbox.session.timeout = timeout;
    this.#setDeadline(sandbox);
  }

  destroy(name: string, by: LedgerEnd, withSnapshots: boolean): Promise<VercelSandbox> {
    const sandbox = this.find(name);
    return sandbox.inTurn(async () => {
      this.find(name);
      this.#all.delete(name);
      sandbox.session.status = "stopped";
      for (const route of sandbox.session.routes) route.cut(404, "SANDBOX_NOT_FOUND");
      this.ledger.ended(name, by);
      if (withSnapshots) this.forgetSnapshots(name);
      await sandbox.box.destroy();
      return sandbox;
    });
  }

  /** Their time is up. */
  forgetSnapshots(name: string): void {
    const others = this.snapshots.filter(({ sandbox }) => sandbox !== name);
    this.snapshots.splice(0, this.snapshots.length, ...others);
  }

  /** Its ports have other addresses from now on. */
  async move(name: string): Promise<void> {
    const sandbox = this.find(name);
    const { session, box, wished } = sandbox;
    for (const route of session.routes) route.cut(404, "SANDBOX_NOT_FOUND");
    Object.assign(session, { routes: await this.#open(box, wished.ports) });
  }

  async close(): Promise<void> {
    await Promise.all(this.#routes.map((route) => route.close()));
  }

  async #begin(box: Box, { ports }: NewSandbox, timeout: number): Promise<VercelSession> {
    return new VercelSession(box, timeout, await this.#open(box, ports));
  }

  async #open(box: Box, ports: readonly number[] = []): Promise<readonly PortRoute[]> {
    const interference = this.#interference(box.id);
    const routes = await Promise.all(ports.map((port) => PortRoute.open({ port, ...interference }, box)));
    this.#routes.push(...routes);
    return routes;
  }

  #keep({ name, session, wished }: VercelSandbox): Snapshot {
    const id = `snap_${randomBytes(12).toString("hex")}`;
    const snapshot = { id, sandbox: name, sourceSessionId: session.id, createdAt: Date.now() };
    this.snapshots.push(snapshot);
    const ofIt = this.snapshots.filter(({ sandbox }) => sandbox === name);
    const evicted = ofIt.slice(0, -(wished.keepLastSnapshots?.count ?? ofIt.length));
    for (const old of evicted) this.snapshots.splice(this.snapshots.indexOf(old), 1);
    return snapshot;
  }

  #setDeadline({ name, box, session }: VercelSandbox): void {
    // Somebody may have been faster.
    box.setDeadline(session.endsAt, () => void this.stop(name, "deadline").catch(() => {}));
  }
}

function check({ ports = [], tags = {}, timeout = 0, image, source, resources }: NewSandbox): void {
  const bad = (message: string) => new Refusal(400, "bad_request", message);
  if (ports.length > mostPorts) throw bad(`A sandbox has at most ${mostPorts} ports.`);
  if (Object.keys(tags).length > mostTags) throw bad(`A sandbox has at most ${mostTags} tags.`);
  if (timeout > longestTimeoutMs) throw bad("A sandbox cannot run for longer than 24 hours.");
  if ((resources?.vcpus ?? 0) % 2 !== 0) throw bad("The number of vCPUs is even.");
  if (image !== undefined && !image.startsWith("vercel/") && !images.has(image)) throw notFound(`Image ${image}`);
  if (source?.type === "snapshot" && !ownSnapshots.has(source.snapshotId ?? ""))
    throw new Refusal(410, "snapshot_not_found", `Snapshot ${source.snapshotId} was not found.`);
}
