import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import type { Box } from "../box/box.ts";
import { EnvdProcesses } from "./envd-processes.ts";

/** What a request to create one says. */
export interface NewSandbox {
  readonly templateID: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly envVars?: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly timeout?: number;
  readonly autoPause?: boolean;
  readonly autoPauseMemory?: boolean;
  readonly allow_internet_access?: boolean;
  readonly network?: { readonly allowPublicTraffic?: boolean };
}

export interface TemplateSize {
  readonly cpuCount: number;
  readonly memoryMB: number;
}

const envdVersion = "0.6.4";

const newToken = () => randomBytes(20).toString("hex");

/** One sandbox: its box, its deadline and its tokens. */
export class E2bSandbox {
  readonly box: Box;
  readonly wished: NewSandbox;
  readonly envdToken = newToken();
  trafficToken = newToken();
  readonly processes: EnvdProcesses;
  /** Of its last start: a resume is one. */
  startedAt = Date.now();
  endAt = 0;
  state: "running" | "paused" | "gone" = "running";
  readonly #size: TemplateSize;
  readonly #connections = new Set<Duplex>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(box: Box, wished: NewSandbox, size: TemplateSize) {
    this.box = box;
    this.wished = wished;
    this.#size = size;
    this.processes = new EnvdProcesses(box);
  }

  get id(): string {
    return this.box.id;
  }

  get isPublic(): boolean {
    return this.wished.network?.allowPublicTraffic !== false;
  }

  renewTrafficToken(): void {
    this.trafficToken = newToken();
    this.breakConnections();
  }

  /** Changes of its state, one after the other. */
  inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#turn.then(change);
    this.#turn = changed.catch(() => {});
    return changed;
  }

  /** A connection that ends when it is paused or ended. */
  track(connection: Duplex): void {
    if (this.#connections.has(connection)) return;
    this.#connections.add(connection);
    connection.once("close", () => this.#connections.delete(connection));
  }

  breakConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  /** What its creation and `connect` answer. */
  access(domain: string) {
    const { envdToken: envdAccessToken, isPublic, trafficToken } = this;
    return {
      sandboxID: this.id,
      templateID: this.wished.templateID,
      clientID: "6532622b",
      envdVersion,
      domain,
      envdAccessToken,
      trafficAccessToken: isPublic ? null : trafficToken,
    };
  }

  /** What a list says of it. */
  listed() {
    const { templateID, metadata = {} } = this.wished;
    return {
      sandboxID: this.id,
      templateID,
      clientID: "6532622b",
      envdVersion,
      ...this.#size,
      diskSizeMB: 512,
      metadata,
      state: this.state,
      startedAt: new Date(this.startedAt).toISOString(),
      endAt: new Date(this.endAt).toISOString(),
    };
  }

  detail(domain: string) {
    const { network, allow_internet_access: allowInternetAccess = null, autoPause = false } = this.wished;
    const lifecycle = { onTimeout: autoPause ? "pause" : "kill", autoResume: false };
    return { ...this.listed(), domain, network, allowInternetAccess, lifecycle, envdAccessToken: this.envdToken };
  }
}
