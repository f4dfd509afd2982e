import { randomBytes } from "node:crypto";
import type { Box } from "../box/box.ts";
import { Commands } from "./commands.ts";
import type { PortRoute } from "./port-route.ts";

/** What a request to create one says. */
export interface NewSandbox {
  readonly name?: string;
  readonly image?: string;
  readonly source?: { readonly type: string; readonly snapshotId?: string };
  readonly ports?: readonly number[];
  /** Milliseconds. */
  readonly timeout?: number;
  readonly resources?: { readonly vcpus?: number };
  readonly env?: Readonly<Record<string, string>>;
  readonly tags?: Readonly<Record<string, string>>;
  readonly persistent?: boolean;
  readonly networkPolicy?: { readonly mode?: string };
  readonly keepLastSnapshots?: { readonly count: number };
  readonly region?: string;
}

/** One run of its machine. */
export class VercelSession {
  readonly id = `sbx_${randomBytes(12).toString("hex")}`;
  readonly startedAt = Date.now();
  readonly commands: Commands;
  readonly routes: readonly PortRoute[];
  timeout: number;
  status: "running" | "stopped" = "running";
  stoppedAt: number | undefined;
  snapshottedAt: number | undefined;

  constructor(box: Box, timeout: number, routes: readonly PortRoute[]) {
    this.timeout = timeout;
    this.routes = routes;
    this.commands = new Commands(box, this.id);
  }

  get endsAt(): number {
    return this.startedAt + this.timeout;
  }
}

export interface Snapshot {
  readonly id: string;
  readonly sandbox: string;
  readonly sourceSessionId: string;
  readonly createdAt: number;
}

const mebibytesPerCpu = 2048;
const defaultCpus = 2;
const workingDirectory = "/vercel/sandbox";

/** A name with a disk, which outlives its sessions. */
export class VercelSandbox {
  readonly name: string;
  readonly box: Box;
  readonly wished: NewSandbox;
  readonly createdAt = Date.now();
  session: VercelSession;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(box: Box, wished: NewSandbox, session: VercelSession) {
    this.name = box.id;
    this.box = box;
    this.wished = wished;
    this.session = session;
  }

  get isPersistent(): boolean {
    return this.wished.persistent !== false;
  }

  /** Changes of its state, one after the other. */
  inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#turn.then(change);
    this.#turn = changed.catch(() => {});
    return changed;
  }

  describe() {
    const { image = "vercel/sandbox/universal:latest", region = "iad1", tags = {}, timeout } = this.wished;
    return {
      name: this.name,
      persistent: this.isPersistent,
      region,
      image,
      ...this.#size,
      timeout,
      tags,
      createdAt: this.createdAt,
      updatedAt: this.createdAt,
      currentSessionId: this.session.id,
      status: this.session.status,
      cwd: workingDirectory,
      ...(this.session.status === "running" ? { expiresAt: this.session.endsAt } : {}),
    };
  }

  describeSession() {
    const { id, startedAt, timeout, status, stoppedAt, snapshottedAt } = this.session;
    return {
      id,
      ...this.#size,
      region: this.wished.region ?? "iad1",
      timeout,
      status,
      requestedAt: startedAt,
      startedAt,
      createdAt: startedAt,
      updatedAt: stoppedAt ?? startedAt,
      cwd: workingDirectory,
      ...(stoppedAt === undefined ? {} : { stoppedAt }),
      ...(snapshottedAt === undefined ? {} : { snapshottedAt }),
    };
  }

  /** What a request about it answers. */
  answer() {
    const routes = this.session.routes.map(({ url, subdomain, port }) => ({ url, subdomain, port }));
    return { sandbox: this.describe(), session: this.describeSession(), routes };
  }

  get #size() {
    const { vcpus = defaultCpus } = this.wished.resources ?? {};
    return { vcpus, memory: vcpus * mebibytesPerCpu };
  }
}
