import type { HostedMachine, MachineLife, RunOptions, RunResult } from "../hosted/hosted-machine.ts";
import { goneError } from "../hosted/provider-error.ts";
import { type SandboxEndpoint, type SandboxFile, SandboxProviderError } from "../sandbox-provider.ts";
import type { DaytonaClient, DaytonaSandbox } from "./daytona-client.ts";
import { daytonaError } from "./daytona-error.ts";
import { lifeOf, minutesOf } from "./machine-state.ts";
import { previewEndpoint } from "./preview-endpoint.ts";
import { closings, inBackground, MarkedCommand, placeholders } from "./shell-commands.ts";

const runTimeoutMs = 60_000;
const uploadTimeoutSeconds = 10 * 60;
const changeTimeoutSeconds = 120;

/** A sandbox of Daytona. Asking for it never wakes it. */
export class DaytonaMachine implements HostedMachine {
  readonly id: string;
  readonly #client: DaytonaClient;
  /** Knows where its files and commands are reached, which stays so. */
  #sandbox: DaytonaSandbox | undefined;

  constructor(client: DaytonaClient, id: string, sandbox?: DaytonaSandbox) {
    this.#client = client;
    this.id = id;
    this.#sandbox = sandbox;
  }

  async status(): Promise<MachineLife> {
    const found = await this.#find();
    return found ? lifeOf(found) : { state: "gone", why: "It was removed at Daytona, or Daytona lost it." };
  }

  async run(command: readonly string[], { timeoutMs = runTimeoutMs }: RunOptions = {}): Promise<RunResult> {
    const marked = new MarkedCommand(command);
    const seconds = Math.ceil(timeoutMs / 1_000);
    const { exitCode, result } = await this.#execute(marked.text, seconds);
    return marked.resultOf(exitCode, result);
  }

  /** Sessions of Daytona's would keep what it says for ever, and end with their shell. */
  async launch(command: readonly string[]): Promise<void> {
    await this.#execute(inBackground(command));
  }

  async write(files: readonly SandboxFile[]): Promise<void> {
    if (files.length === 0) return;
    await this.#scripts(placeholders(files));
    const sources = files.map(({ path, data }) => ({ source: Buffer.from(data), destination: path }));
    await this.#client.again(() => this.#inside(({ fs }) => fs.uploadFiles(sources, uploadTimeoutSeconds)));
    await this.#scripts(closings(files));
  }

  /** Its token is another one after each start. */
  async endpoint(port: number): Promise<SandboxEndpoint> {
    const sandbox = await this.#existing("running");
    return previewEndpoint(await this.#client.again(() => sandbox.getPreviewLink(port)));
  }

  /** Only what comes from outside counts for Daytona: an agent that works alone would be stopped. */
  async extend(lifeMs: number): Promise<void> {
    const sandbox = await this.#existing("running");
    const { autoStopInterval = 0 } = sandbox;
    if (autoStopInterval === 0) return;
    const minutes = minutesOf(lifeMs);
    await this.#client.again(async () => {
      if (minutes > autoStopInterval) await sandbox.setAutostopInterval(minutes);
      await sandbox.refreshActivity();
    });
  }

  suspend(): Promise<void> {
    return this.#change(async (sandbox) => {
      if (sandbox.state === "stopping") await sandbox.waitUntilStopped(changeTimeoutSeconds);
      else if (lifeOf(sandbox).state !== "suspended") await sandbox.stop(changeTimeoutSeconds);
    });
  }

  resume(): Promise<void> {
    return this.#change(async (sandbox) => {
      const { state } = lifeOf(sandbox);
      if (sandbox.state === "stopping") await sandbox.waitUntilStopped(changeTimeoutSeconds);
      if (sandbox.state === "error") await sandbox.recover(changeTimeoutSeconds);
      else if (state === "starting") await sandbox.waitUntilStarted(changeTimeoutSeconds);
      else if (state === "suspended") await sandbox.start(changeTimeoutSeconds);
    });
  }

  async destroy(): Promise<void> {
    await this.#client.change(async () => {
      const sandbox = await this.#find(1);
      await sandbox?.delete(changeTimeoutSeconds, true).catch((error: unknown) => {
        // Somebody else was faster.
        if (daytonaError(error).code !== "not_found") throw error;
      });
    });
  }

  #change(work: (sandbox: DaytonaSandbox) => Promise<void>): Promise<void> {
    return this.#client.change(async () => work(await this.#existing(undefined, 1)));
  }

  #execute(text: string, seconds?: number) {
    const execute = ({ process }: DaytonaSandbox) => process.executeCommand(text, undefined, undefined, seconds);
    return this.#client.once(() => this.#inside(execute));
  }

  async #scripts(scripts: readonly string[]): Promise<void> {
    for (const script of scripts) {
      const { code, stderr } = await this.run(["sh", "-c", script]);
      if (code !== 0)
        throw new SandboxProviderError("failed", `Files cannot be written in ${this.id}: ${stderr.trim()}`);
    }
  }

  async #find(attempts?: number): Promise<DaytonaSandbox | undefined> {
    const found = await this.#client.find(this.id, attempts);
    this.#sandbox = found;
    return found;
  }

  async #existing(state?: "running", attempts?: number): Promise<DaytonaSandbox> {
    const found = await this.#find(attempts);
    const life: MachineLife = found ? lifeOf(found) : { state: "gone" };
    if (!found || life.state === "gone") throw goneError(this.id, life.why);
    if (state === "running" && life.state !== "running")
      throw new SandboxProviderError("stopped", `The sandbox ${this.id} is ${found.state} at Daytona.`);
    return found;
  }

  /** What its own programs answer. Why they do not is asked of Daytona: of one that is gone they say that the key is wrong. */
  async #inside<T>(work: (sandbox: DaytonaSandbox) => Promise<T>): Promise<T> {
    const sandbox = this.#sandbox ?? (await this.#existing("running"));
    try {
      return await work(sandbox);
    } catch (error) {
      await this.#existing("running");
      const { code, message } = daytonaError(error);
      throw new SandboxProviderError(code === "not_found" ? "unavailable" : code, message, { cause: error });
    }
  }
}
