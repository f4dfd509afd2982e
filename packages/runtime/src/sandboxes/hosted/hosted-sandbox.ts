import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import { describeExit } from "../describe-exit.ts";
import { inTurn } from "../in-turn.ts";
import {
  type Sandbox,
  type SandboxEndpoint,
  type SandboxFile,
  type SandboxLife,
  SandboxProviderError,
} from "../sandbox-provider.ts";
import { type BringInOptions, bringIn } from "./bring-in.ts";
import { DaemonPlace } from "./daemon-place.ts";
import { daemonScriptFile, startScript } from "./daemon-script.ts";
import { daemonPort, type HostedLayout, hostedLayout } from "./hosted-layout.ts";
import type { HostedMachine, MachineLife, RunResult } from "./hosted-machine.ts";
import { goneError } from "./provider-error.ts";

/** How long what a machine said of its daemon is believed; what the service says of the machine is always asked. */
const believedMs = 1_000;
const unseenEnd =
  "The daemon is gone and nobody saw its end: the machine was stopped, or what looked after it was killed.";

export interface NewHostedSandbox extends Omit<BringInOptions, "layout"> {
  /** An absolute path inside for all that is brought in and kept. */
  readonly root: string;
}

type DaemonLife = Pick<SandboxLife, "state" | "why">;

/** A sandbox in a machine at a hosting service. All that is known of it is in the machine and at the service. */
export class HostedSandbox implements Sandbox {
  readonly id: string;
  readonly paths: Sandbox["paths"];
  /** Only where the machine can. */
  readonly suspend?: () => Promise<void>;
  readonly resume?: () => Promise<void>;
  readonly #machine: HostedMachine;
  readonly #layout: HostedLayout;
  readonly #place: DaemonPlace;
  #daemon: { readonly life: Promise<DaemonLife>; readonly askedAt: number } | undefined;
  /** By this process, so that a daemon can be expected in it. */
  #isStarted = false;
  #isDestroyed = false;

  private constructor(machine: HostedMachine, layout: HostedLayout) {
    this.id = machine.id;
    this.paths = layout.paths;
    this.#machine = machine;
    this.#layout = layout;
    this.#place = new DaemonPlace(() => this.#resolve());
    const { suspend, resume } = machine;
    if (suspend && resume) {
      this.suspend = () => this.#change(() => suspend.call(machine));
      this.resume = () => this.#change(() => resume.call(machine));
    }
  }

  /** Of a new machine, with what it has not brought in. The machine is destroyed where that fails. */
  static async create(machine: HostedMachine, { root, ...options }: NewHostedSandbox): Promise<HostedSandbox> {
    const layout = hostedLayout(root);
    try {
      options.signal?.throwIfAborted();
      await bringIn(machine, { ...options, layout });
      options.signal?.throwIfAborted();
      return new HostedSandbox(machine, layout);
    } catch (error) {
      // Who sweeps finds it by its label where it cannot be ended now.
      await machine.destroy().catch(() => {});
      throw error;
    }
  }

  /** Of a machine that `create` was called for once, perhaps by another process. */
  static of(machine: HostedMachine, { root }: Pick<NewHostedSandbox, "root">): HostedSandbox {
    return new HostedSandbox(machine, hostedLayout(root));
  }

  async status(): Promise<SandboxLife> {
    if (this.#isDestroyed) return { state: "gone", why: "It was removed." };
    const life = await this.#machine.status();
    if (life.state !== "running") return life;
    try {
      return { ...life, ...(await this.#daemonLife()) };
    } catch (error) {
      // It may have ended, or been suspended, between the two questions.
      const now = await this.#machine.status();
      if (now.state === "running") throw error;
      return now;
    }
  }

  endpoint(): Promise<SandboxEndpoint> {
    return this.#place.endpoint();
  }

  async start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    await inTurn(this.id, async () => {
      const { state } = await this.#existing();
      if (state === "suspended") await this.#machine.resume?.();
      this.#forget();
      if ((await this.#daemonLife()).state !== "running") await this.#launch(command, env);
      this.#forget();
      this.#isStarted = true;
    });
  }

  async write(files: readonly SandboxFile[]): Promise<void> {
    const checked = files.map((file) => ({ ...file, path: this.#checked(file.path) }));
    const { state } = await this.#existing();
    if (state !== "running") throw new SandboxProviderError("stopped", `The sandbox ${this.id} does not run.`);
    if (checked.length > 0) await this.#machine.write(checked);
  }

  extend(lifeMs: number): Promise<void> {
    return this.#machine.extend(lifeMs);
  }

  async logs(maxBytes: number): Promise<string> {
    if (this.#isDestroyed || (await this.#machine.status()).state !== "running") return "";
    return (await this.#script("log", String(maxBytes))).stdout;
  }

  async destroy(): Promise<void> {
    this.#forget();
    await this.#machine.destroy();
    this.#isDestroyed = true;
    this.#forget();
  }

  /** Secrets are in a file that nobody else can read, and that is gone before the daemon begins. */
  async #launch(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    const layout = this.#layout;
    const file = `${layout.run}/start-${randomBytes(6).toString("hex")}`;
    const data = Buffer.from(startScript({ command, env, layout, file }));
    await this.#machine.write([{ path: file, data, mode: 0o600 }]);
    await this.#machine.launch(["sh", daemonScriptFile(layout), "supervise", file]);
    const { code } = await this.#script("taken", file);
    if (code !== 0)
      throw new SandboxProviderError("timeout", `The machine ${this.id} did not begin to start the daemon.`);
  }

  async #resolve(): Promise<SandboxEndpoint> {
    if (!this.#isStarted) {
      const { state, why = "No daemon was started in it yet." } = await this.status();
      if (state === "gone") throw goneError(this.id, why);
      if (state !== "running") throw new SandboxProviderError("stopped", why);
    }
    return this.#machine.endpoint(daemonPort);
  }

  async #daemonLife(): Promise<DaemonLife> {
    const before = this.#daemon;
    if (before && performance.now() - before.askedAt < believedMs) return before.life;
    const life = this.#script("state").then(({ stdout }) => daemonLife(stdout.trim()));
    const asked = { life, askedAt: performance.now() };
    this.#daemon = asked;
    life.catch(() => {
      if (this.#daemon === asked) this.#daemon = undefined;
    });
    return life;
  }

  #script(...words: readonly string[]): Promise<RunResult> {
    return this.#machine.run(["sh", daemonScriptFile(this.#layout), ...words]);
  }

  async #existing(): Promise<MachineLife> {
    const life: MachineLife = this.#isDestroyed ? { state: "gone" } : await this.#machine.status();
    if (life.state === "gone") throw goneError(this.id, life.why);
    return life;
  }

  async #change(work: () => Promise<void>): Promise<void> {
    await inTurn(this.id, async () => {
      this.#forget();
      try {
        await work();
      } finally {
        this.#forget();
      }
    });
  }

  #forget(): void {
    this.#daemon = undefined;
    this.#isStarted = false;
    this.#place.forget();
  }

  #checked(path: string): string {
    const { workspace, home, data } = this.paths;
    const normal = posix.normalize(path);
    const isInside = [workspace, home, data].some((place) => normal.startsWith(`${place}/`)) && !normal.endsWith("/");
    if (isInside) return normal;
    const places = [workspace, home, data].join(", ");
    throw new SandboxProviderError(
      "failed",
      `${JSON.stringify(path)} cannot be written: it must name a file below ${places}.`,
    );
  }
}

function daemonLife(text: string): DaemonLife {
  const [word, status] = text.split(" ");
  switch (word) {
    case "none":
      return { state: "starting" };
    case "running":
      return { state: "running" };
    case "ended":
      return { state: "failed", why: describeExit(Number(status)) };
    case "vanished":
      return { state: "failed", why: unseenEnd };
    default:
      throw new SandboxProviderError("failed", `The machine does not say how its daemon is: ${JSON.stringify(text)}.`);
  }
}
