import { describeExit } from "../describe-exit.ts";
import { daemonPort, imageBundle, imagePrograms } from "../hosted/hosted-layout.ts";
import { goneError, isProviderError } from "../hosted/provider-error.ts";
import {
  type Sandbox,
  type SandboxEndpoint,
  type SandboxFile,
  type SandboxLife,
  SandboxProviderError,
} from "../sandbox-provider.ts";
import type { WorkerClient } from "./worker-client.ts";

/** Where `container/box.mjs` of the Worker's image makes them. */
const root = "/home/agent/sandbox";
const uploadLimitMs = 10 * 60_000;
const shortestMs = 1_000;
const longestMs = 24 * 60 * 60_000;
const maxLogBytes = 1024 * 1024;
/** What the Worker answers in the place of a box that it does not reach. */
const unreached = new Set([401, 403, 410, 502, 503]);

/** How the Worker says that a box is. */
export interface BoxState {
  readonly state: "starting" | "running" | "failed" | "gone";
  readonly exitCode?: number;
  readonly why?: string;
  readonly expiresAt?: number;
}

/** A container at Cloudflare, through the Worker. When it falls asleep its disk is lost, so that it is gone. */
export class CloudflareSandbox implements Sandbox {
  readonly id: string;
  readonly paths = {
    workspace: `${root}/workspace`,
    home: `${root}/home`,
    data: `${root}/data`,
    bundle: imageBundle,
    programs: imagePrograms,
  };
  readonly #worker: WorkerClient;
  /** Kept until a request is refused: asking for it with each would be one more. */
  #endpoint: SandboxEndpoint | undefined;

  constructor(id: string, worker: WorkerClient) {
    this.id = id;
    this.#worker = worker;
  }

  async status(): Promise<SandboxLife> {
    const found = await this.#worker.find<BoxState>("GET", this.#path());
    if (found === undefined) return { state: "gone", why: "It was removed." };
    const { state, exitCode, why, expiresAt } = found;
    return { state, expiresAt, why: state === "failed" ? describeExit(exitCode ?? 0) : why };
  }

  async endpoint(): Promise<SandboxEndpoint> {
    if (this.#endpoint) return this.#endpoint;
    const { state, why } = await this.status();
    if (state === "gone") throw goneError(this.id, why);
    if (state !== "running") throw new SandboxProviderError("stopped", why ?? "No daemon was started in it yet.");
    this.#endpoint = { url: "http://localhost", headers: {}, fetch: (input, init) => this.#fetch(input, init) };
    return this.#endpoint;
  }

  async start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    this.#endpoint = undefined;
    const listening = [...command, "--host", "0.0.0.0", "--port", String(daemonPort)];
    // As bytes, like a file's: nobody but the program in the box reads it.
    const body = Buffer.from(JSON.stringify({ command: listening, env }));
    await this.#worker.json("PUT", this.#path("/daemon"), { body });
  }

  async write(files: readonly SandboxFile[]): Promise<void> {
    if (files.length === 0) await this.#existing();
    for (const { path, data, mode = 0o644 } of files) {
      const query = new URLSearchParams({ path, mode: mode.toString(8).padStart(3, "0") });
      await this.#worker.json("PUT", this.#path(`/file?${query}`), { body: data, limitMs: uploadLimitMs });
    }
  }

  /** So long it stays awake, also without a request. */
  async extend(lifeMs: number): Promise<void> {
    const ms = Math.min(Math.max(lifeMs, shortestMs), longestMs);
    await this.#worker.json("POST", this.#path("/keep"), { body: { ms } });
  }

  async logs(maxBytes: number): Promise<string> {
    try {
      return await this.#worker.text("GET", this.#path(`/logs?bytes=${Math.min(maxBytes, maxLogBytes)}`));
    } catch (error) {
      if (isProviderError(error, "not_found")) return "";
      throw error;
    }
  }

  async destroy(): Promise<void> {
    this.#endpoint = undefined;
    await this.#worker.json("DELETE", this.#path());
  }

  async #existing(): Promise<void> {
    const { state, why } = await this.status();
    if (state === "gone") throw goneError(this.id, why);
  }

  async #fetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    try {
      const answer = await this.#worker.through(this.id, daemonPort, input, init);
      if (unreached.has(answer.status)) this.#endpoint = undefined;
      return answer;
    } catch (error) {
      this.#endpoint = undefined;
      throw error;
    }
  }

  #path(rest = ""): string {
    return `/boxes/${this.id}${rest}`;
  }
}
