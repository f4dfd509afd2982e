import type { HostedMachine, MachineLife, RunOptions, RunResult } from "../hosted/hosted-machine.ts";
import { goneError } from "../hosted/provider-error.ts";
import { type SandboxEndpoint, type SandboxFile, SandboxProviderError } from "../sandbox-provider.ts";
import type { E2bClient, E2bSandbox } from "./e2b-client.ts";
import { e2bError } from "./e2b-error.ts";
import type { E2bSettings } from "./e2b-settings.ts";
import { portEndpoint } from "./port-endpoint.ts";
import { prepareFiles, shellWords } from "./shell.ts";

const runTimeoutMs = 60_000;
const uploadTimeoutMs = 10 * 60_000;
/** For who only needs a sandbox's tokens: were it paused at this very moment, it would be woken for so long. */
const briefMs = 1_000;

export interface E2bMachineDeps {
  readonly client: E2bClient;
  readonly settings: Pick<E2bSettings, "lifeMs" | "suspend" | "publicTraffic">;
}

/** A sandbox of E2B. Its tokens are answered only by its creation and by `connect`, which wakes it. */
export class E2bMachine implements HostedMachine {
  readonly id: string;
  readonly #client: E2bClient;
  readonly #settings: E2bMachineDeps["settings"];
  #access: E2bSandbox | undefined;
  /** Whoever asks for a place again was refused at the one they have. */
  #isPlaceKnown = false;

  constructor(id: string, { client, settings }: E2bMachineDeps, access?: E2bSandbox) {
    this.id = id;
    this.#client = client;
    this.#settings = settings;
    this.#access = access;
  }

  async status(): Promise<MachineLife> {
    const info = await this.#client.find(this.id);
    if (info === undefined) return { state: "gone", why: "E2B ended it, or somebody removed it there." };
    // The end of one that is paused is when it was paused.
    return info.state === "paused" ? { state: "suspended" } : { state: "running", expiresAt: info.endAt.getTime() };
  }

  run(command: readonly string[], { timeoutMs = runTimeoutMs }: RunOptions = {}): Promise<RunResult> {
    return this.#inside(async ({ commands }) => {
      const { exitCode, stdout, stderr } = await commands
        .run(shellWords(command), { timeoutMs, requestTimeoutMs: timeoutMs })
        .catch(commandResult);
      return { code: exitCode, stdout, stderr };
    });
  }

  launch(command: readonly string[]): Promise<void> {
    return this.#inside(async ({ commands }) => {
      const line = `exec ${shellWords(command)} </dev/null >/dev/null 2>&1`;
      // E2B ends also what is in the background when its time is up; 0 is none.
      const launched = await commands.run(line, { background: true, timeoutMs: 0 });
      await launched.disconnect();
    });
  }

  /** Uploaded files keep the mode of what is there, so each is there, empty, with its mode before. */
  async write(files: readonly SandboxFile[]): Promise<void> {
    if (files.length === 0) return;
    for (const script of prepareFiles(files)) {
      const { code, stderr } = await this.run(["sh", "-c", script]);
      if (code !== 0)
        throw new SandboxProviderError("failed", `Files cannot be written in ${this.id}: ${stderr.trim()}`);
    }
    const entries = files.map(({ path, data }) => ({ path, data: new Blob([data as Uint8Array<ArrayBuffer>]) }));
    await this.#inside(({ files: place }) => place.write(entries, { requestTimeoutMs: uploadTimeoutMs }));
  }

  async endpoint(port: number): Promise<SandboxEndpoint> {
    if ((await this.status()).state !== "running" || this.#isPlaceKnown) this.#access = undefined;
    const access = await this.#running();
    this.#isPlaceKnown = true;
    return portEndpoint(access, port);
  }

  /** E2B would also make it shorter. */
  async extend(lifeMs: number): Promise<void> {
    const { expiresAt = 0 } = await this.#existing("running");
    if (expiresAt < Date.now() + lifeMs) await this.#client.setTimeout(this.id, lifeMs);
  }

  async suspend(): Promise<void> {
    await this.#existing();
    await this.#client.pause(this.id, this.#settings.suspend === "memory");
    this.#access = undefined;
  }

  async resume(): Promise<void> {
    await this.#existing();
    this.#keep(await this.#client.connect(this.id, this.#settings.lifeMs));
  }

  async destroy(): Promise<void> {
    await this.#client.kill(this.id);
  }

  #keep(access: E2bSandbox): E2bSandbox {
    this.#access = access;
    this.#isPlaceKnown = false;
    return access;
  }

  /** Looks before it connects: one that is paused stays so. */
  async #running(): Promise<E2bSandbox> {
    if (this.#access) return this.#access;
    await this.#existing("running");
    return this.#keep(await this.#client.connect(this.id, briefMs));
  }

  async #existing(state?: "running"): Promise<MachineLife> {
    const life = await this.status();
    if (life.state === "gone") throw goneError(this.id, life.why);
    if (state === "running" && life.state !== "running")
      throw new SandboxProviderError("stopped", `The sandbox ${this.id} is paused at E2B.`);
    return life;
  }

  /** What its own programs answer. Why they do not is asked of E2B: their errors say little. */
  async #inside<T>(work: (sandbox: E2bSandbox) => Promise<T>): Promise<T> {
    const sandbox = await this.#running();
    try {
      return await work(sandbox);
    } catch (error) {
      this.#access = undefined;
      await this.#existing("running");
      const { code, message } = e2bError(error);
      throw new SandboxProviderError(code === "not_found" ? "unavailable" : code, message, { cause: error });
    }
  }
}

/** Commands that do not end with 0 are errors to the SDK. */
function commandResult(error: unknown) {
  if ((error as Error).name !== "CommandExitError") throw error;
  return error as { exitCode: number; stdout: string; stderr: string };
}
