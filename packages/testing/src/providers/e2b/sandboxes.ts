import { randomBytes } from "node:crypto";
import type { BoxHost } from "../box/box-host.ts";
import { Ledger, type LedgerEnd } from "../ledger.ts";
import type { ServiceOptions } from "../provider-service.ts";
import { E2bSandbox, type NewSandbox } from "./e2b-sandbox.ts";
import type { Templates } from "./templates.ts";

const defaultTimeoutSeconds = 300;
const longestTimeoutSeconds = 24 * 60 * 60;

/** A refusal of the control plane, in the form its SDK reads. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** All sandboxes of an account, and what happens to them. */
export class Sandboxes {
  readonly ledger = new Ledger();
  /** Of the host names of their ports. */
  domain = "localhost";
  readonly #host: BoxHost;
  readonly #templates: Templates;
  readonly #options: ServiceOptions;
  readonly #all = new Map<string, E2bSandbox>();

  constructor(host: BoxHost, templates: Templates, options: ServiceOptions) {
    this.#host = host;
    this.#templates = templates;
    this.#options = options;
  }

  get all(): readonly E2bSandbox[] {
    return [...this.#all.values()];
  }

  find(id: string): E2bSandbox {
    const found = this.#all.get(id);
    if (found === undefined) throw new Refusal(404, `Sandbox "${id}" doesn't exist or you don't have access to it`);
    return found;
  }

  running(id: string): E2bSandbox | undefined {
    const found = this.#all.get(id);
    return found?.state === "running" ? found : undefined;
  }

  async create(wished: NewSandbox): Promise<E2bSandbox> {
    const template = this.#templates.find(wished.templateID);
    if (template === undefined) throw new Refusal(404, `template '${wished.templateID}' not found`);
    const { timeout = defaultTimeoutSeconds, allow_internet_access: hasNetwork = true } = wished;
    checkTimeout(timeout);
    const { mounts, reachable, withoutNode } = this.#options;
    const box = await this.#host.create({
      id: `i${randomBytes(10).toString("hex")}`,
      home: "/home/user",
      env: wished.envVars,
      mounts: { ...mounts, ...this.#templates.mounts(template) },
      reachable: hasNetwork ? reachable : [],
      without: withoutNode ? ["node"] : [],
    });
    const sandbox = new E2bSandbox(box, wished, { cpuCount: template.cpuCount, memoryMB: template.memoryMB });
    this.#all.set(sandbox.id, sandbox);
    this.ledger.created(sandbox.id, wished.metadata);
    this.#setDeadline(sandbox, timeout);
    return sandbox;
  }

  /** Longer or shorter. One that is paused is not found. */
  setTimeout(id: string, seconds: number): void {
    const sandbox = this.running(id);
    if (sandbox === undefined) throw new Refusal(404, `Sandbox "${id}" doesn't exist or you don't have access to it`);
    this.#setDeadline(sandbox, Math.min(seconds, longestTimeoutSeconds));
  }

  pause(id: string, keepsMemory: boolean): Promise<void> {
    const sandbox = this.find(id);
    return sandbox.inTurn(async () => {
      if (this.find(id).state === "paused")
        throw new Refusal(409, `Error pausing sandbox - sandbox '${id}' is already paused`);
      sandbox.state = "paused";
      sandbox.endAt = Date.now();
      sandbox.box.setDeadline(undefined, () => {});
      sandbox.breakConnections();
      await (keepsMemory ? sandbox.box.freeze() : sandbox.box.stop());
      this.ledger.suspended(id);
    });
  }

  /** Resumes one that is paused; the deadline of one that runs is only ever put off. True where it was paused. */
  connect(id: string, seconds: number, keepsMemory: boolean): Promise<boolean> {
    checkTimeout(seconds);
    const sandbox = this.find(id);
    return sandbox.inTurn(async () => {
      const wasPaused = this.find(id).state === "paused";
      if (wasPaused) {
        if (!keepsMemory) await sandbox.box.stop();
        await (sandbox.box.state === "stopped" ? sandbox.box.start() : sandbox.box.thaw());
        sandbox.state = "running";
        sandbox.startedAt = Date.now();
        this.ledger.resumed(id);
      }
      if (wasPaused || Date.now() + seconds * 1000 > sandbox.endAt) this.#setDeadline(sandbox, seconds);
      return wasPaused;
    });
  }

  kill(id: string, by: LedgerEnd): Promise<void> {
    const sandbox = this.find(id);
    return sandbox.inTurn(async () => {
      this.find(id);
      sandbox.state = "gone";
      this.#all.delete(id);
      this.ledger.ended(id, by);
      sandbox.breakConnections();
      await sandbox.box.destroy();
    });
  }

  async expire(id: string): Promise<void> {
    const { autoPause = false, autoPauseMemory = true } = this.find(id).wished;
    await (autoPause ? this.pause(id, autoPauseMemory) : this.kill(id, "deadline"));
  }

  #setDeadline(sandbox: E2bSandbox, seconds: number): void {
    sandbox.endAt = Date.now() + seconds * 1000;
    // Somebody may have been faster.
    sandbox.box.setDeadline(sandbox.endAt, () => void this.expire(sandbox.id).catch(() => {}));
  }
}

function checkTimeout(seconds: number): void {
  if (seconds > longestTimeoutSeconds) throw new Refusal(400, "Timeout cannot be greater than 24 hours");
}
