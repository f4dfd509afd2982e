import { setTimeout as delay } from "node:timers/promises";
import type { HostedMachine, MachineLife, RunOptions, RunResult } from "../hosted/hosted-machine.ts";
import { goneError, isProviderError } from "../hosted/provider-error.ts";
import { type SandboxEndpoint, type SandboxFile, SandboxProviderError } from "../sandbox-provider.ts";
import type { Session, SessionCallOptions, VercelClient, VercelSandbox } from "./vercel-client.ts";
import { ForgottenError } from "./vercel-error.ts";

const runTimeoutMs = 60_000;
const uploadTimeoutMs = 10 * 60_000;
/** The service ends a command that this one gave up, and answers where it did so in time. */
const spareMs = 2_000;
const pendingMs = 2 * 60_000;
const lookEveryMs = 500;

/** A sandbox of Vercel: a name with a disk. While it runs it has a session, after each stop another one. */
export class VercelMachine implements HostedMachine {
  readonly id: string;
  readonly #client: VercelClient;
  #session: Session | undefined;

  constructor(id: string, client: VercelClient, sandbox?: VercelSandbox) {
    this.id = id;
    this.#client = client;
    this.#session = sandbox?.currentSession();
  }

  async status(): Promise<MachineLife> {
    return lifeOf(await this.#client.find(this.id));
  }

  run(command: readonly string[], { timeoutMs = runTimeoutMs }: RunOptions = {}): Promise<RunResult> {
    const [cmd = "", ...args] = command;
    const run = async (session: Session, signal: AbortSignal) => {
      const ended = await session.runCommand({ cmd, args, timeoutMs: timeoutMs + spareMs, signal });
      const [stdout, stderr] = await Promise.all([ended.stdout(), ended.stderr()]);
      return { code: ended.exitCode, stdout, stderr };
    };
    return this.#inside(run, { withinMs: timeoutMs });
  }

  async launch(command: readonly string[]): Promise<void> {
    // Else Vercel keeps all that it says.
    const args = ["-c", 'exec "$@" </dev/null >/dev/null 2>&1', "sh", ...command];
    await this.#inside((session, signal) => session.runCommand({ cmd: "sh", args, detached: true, signal }));
  }

  /** One archive, unpacked there: modes are kept, what is there is replaced. */
  async write(files: readonly SandboxFile[]): Promise<void> {
    if (files.length === 0) return;
    const contents = files.map(({ path, data, mode = 0o644 }) => ({ path, content: data, mode }));
    const options = { withinMs: uploadTimeoutMs, isRepeatable: true };
    await this.#inside((session, signal) => session.writeFiles(contents, { signal }), options);
  }

  async endpoint(port: number): Promise<SandboxEndpoint> {
    const session = await this.#running();
    const route = session.routes.find((candidate) => candidate.port === port);
    if (route) return { url: route.url, headers: {} };
    const detail = `Port ${port} of the sandbox ${this.id} is not open: Vercel opens those alone that it was made with.`;
    throw new SandboxProviderError("failed", detail);
  }

  /** Vercel counts from what there is, and not from now on. */
  async extend(lifeMs: number): Promise<void> {
    const session = await this.#running();
    const missing = Date.now() + lifeMs - endOf(session);
    if (missing <= 0) return;
    try {
      await this.#client.inSession(session, (it, signal) => it.extendTimeout(Math.ceil(missing), { signal }));
    } catch (error) {
      if (!isProviderError(error, "failed")) throw error;
      const limits = "No session runs for longer than 45 minutes on the plan Hobby, and 24 hours on Pro and Enterprise";
      const detail = `${error.message} ${limits}; then its files are kept, and the next message goes on with them.`;
      throw new SandboxProviderError("failed", detail, { cause: error });
    }
  }

  async suspend(): Promise<void> {
    const sandbox = await this.#existing();
    if (lifeOf(sandbox).state === "suspended") return;
    this.#session = undefined;
    try {
      await this.#client.inSession(sandbox.currentSession(), (session, signal) => session.stop({ signal }), {
        isRepeatable: true,
      });
    } catch (error) {
      if (!isProviderError(error, "stopped")) throw error;
    }
  }

  /** One that is gone stays so, as one does of which Vercel keeps nothing any more. */
  async resume(): Promise<void> {
    this.#session = undefined;
    try {
      await this.#client.resume(this.id);
    } catch (error) {
      if (error instanceof ForgottenError) await this.#client.destroy(this.id);
      else if (!isProviderError(error, "not_found")) throw error;
      return;
    }
    await this.#running();
  }

  destroy(): Promise<void> {
    return this.#client.destroy(this.id);
  }

  async #existing(): Promise<VercelSandbox> {
    const sandbox = await this.#client.find(this.id);
    const { state, why } = lifeOf(sandbox);
    if (sandbox === undefined || state === "gone") throw goneError(this.id, why);
    return sandbox;
  }

  /** Its session as it is now, once commands run in it. */
  async #running(): Promise<Session> {
    const deadline = performance.now() + pendingMs;
    for (;;) {
      const sandbox = await this.#existing();
      const { state } = lifeOf(sandbox);
      if (state === "running") {
        this.#session = sandbox.currentSession();
        return this.#session;
      }
      if (state === "suspended")
        throw new SandboxProviderError("stopped", `The sandbox ${this.id} is stopped at Vercel.`);
      if (performance.now() > deadline)
        throw new SandboxProviderError("timeout", `The sandbox ${this.id} does not start at Vercel.`);
      await delay(lookEveryMs);
    }
  }

  /** In the session that is known, or the one that somebody else began since. */
  async #inside<T>(
    work: (session: Session, signal: AbortSignal) => Promise<T>,
    options?: SessionCallOptions,
  ): Promise<T> {
    const known = this.#session;
    if (known) {
      try {
        return await this.#client.inSession(known, work, options);
      } catch (error) {
        this.#session = undefined;
        if (!isProviderError(error, "stopped", "not_found")) throw error;
      }
    }
    return this.#client.inSession(await this.#running(), work, options);
  }
}

/** What Vercel says of it. */
function lifeOf(sandbox: VercelSandbox | undefined): MachineLife {
  if (sandbox === undefined) return { state: "gone", why: "Vercel ended it, or somebody removed it there." };
  const session = sandbox.currentSession();
  switch (session.status) {
    case "pending":
      return { state: "starting" };
    case "running":
      return { state: "running", expiresAt: endOf(session) };
    case "failed":
    case "aborted":
      // Else its next session would have the disk of an earlier one.
      if (session.snapshottedAt === undefined) return { state: "gone", why: "Vercel lost the machine that it ran on." };
  }
  return sandbox.persistent ? { state: "suspended" } : { state: "gone", why: "Its time was up." };
}

function endOf({ startedAt, createdAt, timeout }: Session): number {
  return (startedAt ?? createdAt).getTime() + timeout;
}
