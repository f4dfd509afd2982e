import { posix } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pack } from "tar-stream";
import type { HostedMachine, MachineLife, RunOptions, RunResult } from "../hosted/hosted-machine.ts";
import { goneError } from "../hosted/provider-error.ts";
import { type SandboxEndpoint, type SandboxFile, SandboxProviderError } from "../sandbox-provider.ts";
import { asUser } from "./as-user.ts";
import type { ModalClient, ModalSandbox } from "./modal-client.ts";
import { describeEnd } from "./modal-end.ts";
import { modalError } from "./modal-error.ts";
import type { ModalSettings } from "./modal-settings.ts";

const runTimeoutMs = 60_000;
const uploadTimeoutMs = 10 * 60_000;
const endTimeoutMs = 30_000;
const defaultMode = 0o644;
/** What goes into one message of standard input. */
const chunkBytes = 1024 * 1024;

export interface ModalMachineDeps {
  readonly client: ModalClient;
  readonly settings: Pick<ModalSettings, "user" | "access">;
}

/** A sandbox of Modal. Its life has an end that was fixed when it was made; nothing wakes it, because it never sleeps. */
export class ModalMachine implements HostedMachine {
  readonly id: string;
  readonly #client: ModalClient;
  readonly #settings: ModalMachineDeps["settings"];
  #sandbox: ModalSandbox | undefined;

  constructor(id: string, { client, settings }: ModalMachineDeps, sandbox?: ModalSandbox) {
    this.id = id;
    this.#client = client;
    this.#settings = settings;
    this.#sandbox = sandbox;
  }

  async status(): Promise<MachineLife> {
    const code = await this.#client.exitCode(this.id);
    return code === null ? { state: "running" } : { state: "gone", why: describeEnd(code) };
  }

  run(command: readonly string[], { timeoutMs = runTimeoutMs }: RunOptions = {}): Promise<RunResult> {
    return this.runAsRoot(asUser(this.#settings.user, command), { timeoutMs });
  }

  /** As the sandbox's own user, whoever that is. */
  runAsRoot(command: readonly string[], { timeoutMs = runTimeoutMs }: RunOptions = {}): Promise<RunResult> {
    return this.#inside(timeoutMs, async (sandbox) => {
      const process = await sandbox.exec([...command], { timeoutMs: wholeSeconds(timeoutMs) });
      const [code, stdout, stderr] = await Promise.all([
        process.wait(),
        process.stdout.readText(),
        process.stderr.readText(),
      ]);
      return { code, stdout, stderr };
    });
  }

  launch(command: readonly string[]): Promise<void> {
    return this.#inside(runTimeoutMs, async (sandbox) => {
      const quiet = ["sh", "-c", 'exec "$@" </dev/null >/dev/null 2>&1', "sh", ...command];
      await sandbox.exec(asUser(this.#settings.user, quiet), { stdout: "ignore", stderr: "ignore" });
    });
  }

  /** All of them as one archive, by the standard input of one command. */
  write(files: readonly SandboxFile[]): Promise<void> {
    return this.#inside(uploadTimeoutMs, async (sandbox) => {
      const unpack = ["tar", "-x", "-p", "-o", "-f", "-", "-C", "/"];
      const process = await sandbox.exec(asUser(this.#settings.user, unpack), {
        timeoutMs: wholeSeconds(uploadTimeoutMs),
        stdout: "ignore",
      });
      const ended = Promise.all([process.wait(), process.stderr.readText()]);
      const sent = send(process.stdin.getWriter(), archiveOf(files));
      // Where it has ended already its exit code says more than that nobody reads.
      await Promise.race([sent, ended]).catch(() => {});
      const [code, stderr] = await ended;
      if (code !== 0)
        throw new SandboxProviderError(
          "failed",
          `Files cannot be written in ${this.id}: ${stderr.trim() || `exit code ${code}`}`,
        );
      await sent;
    });
  }

  endpoint(port: number): Promise<SandboxEndpoint> {
    return this.#inside(runTimeoutMs, async (sandbox) => {
      if (this.#settings.access === "tunnel") return { url: await this.#tunnelTo(port), headers: {} };
      const { url, token } = await sandbox.createConnectToken({ port });
      return { url, headers: { authorization: `Bearer ${token}` } };
    });
  }

  /** Its end was fixed when it was made. */
  async extend(): Promise<void> {}

  async destroy(): Promise<void> {
    if ((await this.status()).state === "gone") return;
    await this.#client.again(async () => (await this.#handle()).terminate()).catch(unlessGone);
    await within(endTimeoutMs, this.#client.again(async () => (await this.#handle()).wait()).catch(unlessGone));
    this.#letGo();
  }

  /** Asked of a new handle: one that has an answer does not ask again. */
  async #tunnelTo(port: number): Promise<string> {
    const fresh = await this.#client.handle(this.id);
    const tunnel = (await fresh.tunnels())[port];
    if (tunnel === undefined)
      throw new SandboxProviderError("failed", `The sandbox ${this.id} has no tunnel: it was made with access=token.`);
    // A service on this machine speaks plain text.
    return tunnel.host === "127.0.0.1" ? tunnel.url.replace(/^https/, "http") : tunnel.url;
  }

  async #handle(): Promise<ModalSandbox> {
    this.#sandbox ??= await this.#client.handle(this.id);
    return this.#sandbox;
  }

  #letGo(): void {
    this.#sandbox?.detach();
    this.#sandbox = undefined;
  }

  /** What goes to the sandbox itself. Why it does not answer is asked of Modal. */
  async #inside<T>(timeoutMs: number, work: (sandbox: ModalSandbox) => Promise<T>): Promise<T> {
    try {
      return await within(timeoutMs, work(await this.#handle()));
    } catch (error) {
      const normal = modalError(error);
      if (normal.code === "failed") throw normal;
      this.#letGo();
      const { state, why } = await this.status();
      if (state === "gone") throw goneError(this.id, why);
      const code = normal.code === "not_found" ? "unavailable" : normal.code;
      throw new SandboxProviderError(code, normal.message, { cause: error });
    }
  }
}

/** Modal takes whole seconds only. */
export const wholeSeconds = (ms: number) => Math.ceil(ms / 1_000) * 1_000;

async function* archiveOf(files: readonly SandboxFile[]): AsyncGenerator<Uint8Array> {
  const archive = pack();
  for (const { path, data, mode = defaultMode } of files)
    archive.entry(
      { name: posix.relative("/", path), mode },
      Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    );
  archive.finalize();
  yield* archive as AsyncIterable<Uint8Array>;
}

async function send(writer: WritableStreamDefaultWriter, parts: AsyncIterable<Uint8Array>): Promise<void> {
  let kept: Uint8Array[] = [];
  let size = 0;
  const flush = async () => {
    const bytes = Buffer.concat(kept);
    kept = [];
    size = 0;
    for (let at = 0; at < bytes.length; at += chunkBytes) await writer.write(bytes.subarray(at, at + chunkBytes));
  };
  for await (const part of parts) {
    kept.push(part);
    size += part.length;
    if (size >= chunkBytes) await flush();
  }
  await flush();
  await writer.close();
}

function unlessGone(error: unknown): void {
  if (modalError(error).code !== "not_found") throw error;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const limit = delay(ms, undefined, { signal: done.signal }).then(() => {
    throw new SandboxProviderError("timeout", `It was not done in Modal's sandbox within ${ms} ms.`);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    limit.catch(() => {});
    done.abort();
  }
}
