import { randomBytes, randomUUID } from "node:crypto";
import type { Box } from "../box/box.ts";
import { ToolboxSessions } from "./toolbox-sessions.ts";

/** What a request to create one says. */
export interface NewSandbox {
  readonly name?: string;
  readonly snapshot?: string;
  readonly buildInfo?: { readonly dockerfileContent?: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly public?: boolean;
  readonly target?: string;
  readonly cpu?: number;
  readonly memory?: number;
  readonly disk?: number;
  /** Minutes. */
  readonly autoStopInterval?: number;
  readonly autoDeleteInterval?: number;
  readonly networkBlockAll?: boolean;
}

export interface SandboxSize {
  readonly cpu: number;
  /** GiB, as the disk. */
  readonly memory: number;
  readonly disk: number;
}

export type SandboxState = "creating" | "started" | "stopping" | "stopped" | "starting" | "destroying" | "error";

const defaultStopMinutes = 15;
const organizationId = randomUUID();

/** One sandbox: its state, the token of its ports, and how long nobody from outside has used it. */
export class DaytonaSandbox {
  readonly id = randomUUID();
  readonly wished: NewSandbox;
  readonly size: SandboxSize;
  readonly createdAt = Date.now();
  state: SandboxState = "creating";
  errorReason: string | undefined;
  lastActivityAt = Date.now();
  stopMinutes: number;
  labels: Readonly<Record<string, string>>;
  /** Another one after each start. */
  previewToken = newToken();
  /** Requests to its ports that are being answered. */
  open = 0;
  #box: Box | undefined;
  #sessions: ToolboxSessions | undefined;

  constructor(wished: NewSandbox, size: SandboxSize) {
    this.wished = wished;
    this.size = size;
    this.labels = wished.labels ?? {};
    this.stopMinutes = wished.autoStopInterval ?? defaultStopMinutes;
  }

  get name(): string {
    return this.wished.name ?? this.id;
  }

  /** Undefined while it is being made. */
  get box(): Box | undefined {
    return this.#box;
  }

  set box(box: Box | undefined) {
    this.#box = box;
    this.#sessions = box && new ToolboxSessions(box);
  }

  get sessions(): ToolboxSessions {
    return this.#sessions!;
  }

  get isBusy(): boolean {
    return ["creating", "starting", "stopping", "destroying"].includes(this.state);
  }

  renewToken(): void {
    this.previewToken = newToken();
  }

  /** What a list says of it. */
  listed(toolboxProxyUrl: string) {
    const { wished, state } = this;
    const isOff = ["stopping", "stopped"].includes(state);
    return {
      id: this.id,
      organizationId,
      name: this.name,
      user: "daytona",
      labels: this.labels,
      public: wished.public ?? false,
      target: wished.target ?? "us",
      snapshot: wished.buildInfo ? undefined : (wished.snapshot ?? "daytona-small"),
      ...this.size,
      gpu: 0,
      state,
      desiredState: state === "destroying" ? "destroyed" : isOff ? "stopped" : "started",
      errorReason: this.errorReason,
      recoverable: false,
      sandboxClass: "container",
      autoStopInterval: this.stopMinutes,
      autoArchiveInterval: 7 * 24 * 60,
      autoDeleteInterval: wished.autoDeleteInterval ?? -1,
      createdAt: new Date(this.createdAt).toISOString(),
      updatedAt: new Date().toISOString(),
      lastActivityAt: new Date(this.lastActivityAt).toISOString(),
      toolboxProxyUrl,
    };
  }

  /** Also its environment: to everybody with a key. */
  detail(toolboxProxyUrl: string) {
    const { env = {}, networkBlockAll = false, buildInfo } = this.wished;
    return { ...this.listed(toolboxProxyUrl), env, networkBlockAll, buildInfo, volumes: [] };
  }
}

const newToken = () => randomBytes(16).toString("hex");
