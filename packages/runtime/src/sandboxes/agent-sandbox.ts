import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type FsChange, SandboxError, type SessionBlocks, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import type { SecretBox } from "../access/secret-box.ts";
import { SandboxAllowance } from "../mirror/sandbox-allowance.ts";
import type { RuntimeStore, StoredSandbox } from "../store/runtime-store.ts";
import { boundedAnswer } from "./bounded-answer.ts";
import { inTheMaking } from "./in-the-making.ts";
import {
  type Sandbox,
  type SandboxFile,
  type SandboxLife,
  type SandboxProvider,
  SandboxProviderError,
  type SandboxSpec,
} from "./sandbox-provider.ts";
import {
  parseTranscripts,
  readTranscripts,
  streamTranscriptChanges,
  type TranscriptData,
} from "./sandbox-transcripts.ts";

const tokenBytes = 24;
/** The program in the directory of the bundle. */
export const bundleFile = "sandbox-agent.cjs";
const firstLookMs = 10;
const longestLookMs = 250;
/** So that at most a fifth of a start is spent in waiting for the next look. */
const looksGrowBy = 1.25;
const healthTimeoutMs = 2_000;
const logTailBytes = 2_000;
/** More than any answer of a daemon has; its events are bounded one by one. */
const maxAnswerBytes = 64 * 1024 * 1024;
const maxHealthBytes = 64 * 1024;

export interface AgentSandboxDeps {
  readonly store: RuntimeStore;
  readonly provider: SandboxProvider;
  readonly secrets: SecretBox;
  /** What the daemon, and so its agents, find in their environment: the keys of models, above all. */
  readonly agentEnv: Readonly<Record<string, string>>;
  /** How long a daemon may take to answer after its start. */
  readonly startTimeoutMs: number;
  /** Characters that it may send for one message. */
  readonly maxTurnChars: number;
}

type SandboxLimits = "startTimeoutMs" | "maxTurnChars";

export function sandboxDepsOf(
  deps: Omit<AgentSandboxDeps, SandboxLimits> & { readonly limits: Pick<AgentSandboxDeps, SandboxLimits> },
): AgentSandboxDeps {
  const { store, provider, secrets, agentEnv, limits } = deps;
  const { startTimeoutMs, maxTurnChars } = limits;
  return { store, provider, secrets, agentEnv, startTimeoutMs, maxTurnChars };
}

export interface NewSandbox {
  readonly deps: AgentSandboxDeps;
  readonly spec: SandboxSpec;
  readonly template: string;
  /** Undefined: for the pool. */
  readonly sessionId?: string | undefined;
  readonly generation: number;
  /** Told what is being done, in words for people. */
  readonly onStep?: ((step: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the sandbox when its daemon answers, before somebody can have it. */
  readonly onMade?: ((sandbox: AgentSandbox) => Promise<void>) | undefined;
}

interface DaemonAccess {
  readonly client: SandboxAgent;
  readonly ask: (path: string, init: RequestInit) => Promise<Response>;
}

/** Stands for wherever the daemon is at the moment. */
const nowhere = "http://sandbox.invalid";

/** The place is asked for with every attempt, because it may change with each start. */
async function fetchFrom(sandbox: Sandbox, token: string, path: string, init: RequestInit): Promise<Response> {
  const { url, headers, fetch: there = fetch } = await sandbox.endpoint();
  const sent = new Headers(init.headers);
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  sent.set("x-sandbox-token", token);
  // A sandbox must not be able to send the runtime, and the token with it, to somebody else.
  return there(new URL(path, url), { ...init, headers: sent, redirect: "error" });
}

/** A sandbox with a daemon in it, as the runtime uses it: found again by what the store keeps of it. */
export class AgentSandbox {
  readonly client: SandboxAgent;
  /** A plain request to a path of its daemon. */
  readonly fetch: DaemonAccess["ask"];
  /** How much may still come from it. */
  readonly allowance: SandboxAllowance;
  readonly #deps: AgentSandboxDeps;
  readonly #sandbox: Sandbox;
  #row: StoredSandbox;
  /** When its life was last made as long as can be, if that is known. */
  #extendedAt = Number.NEGATIVE_INFINITY;

  private constructor(deps: AgentSandboxDeps, sandbox: Sandbox, row: StoredSandbox, daemon: DaemonAccess) {
    this.#deps = deps;
    this.#sandbox = sandbox;
    this.#row = row;
    this.client = daemon.client;
    this.fetch = daemon.ask;
    this.allowance = new SandboxAllowance(deps.maxTurnChars);
  }

  /**
   * Make a sandbox and start a daemon in it; resolves when that answers. After a failure nothing of it is left. One for a
   * session is on record as being made until `ready` is called: who finds it so after a crash does not use it.
   */
  static async create(props: NewSandbox): Promise<AgentSandbox> {
    const { deps, sessionId, onStep, onMade, signal } = props;
    onStep?.("Creating the sandbox …");
    const created = await inTheMaking(deps.provider, () => AgentSandbox.#make(props));
    try {
      onStep?.("Starting the daemon …");
      await created.ensureDaemon(signal);
      await onMade?.(created);
      if (sessionId === undefined) await created.ready();
      return created;
    } catch (error) {
      await created.#drop();
      throw error;
    }
  }

  /** One that the store knows. */
  static async #make({ deps, spec, template, sessionId, generation, signal }: NewSandbox): Promise<AgentSandbox> {
    const begunAt = performance.now();
    const sandbox = await deps.provider.create(spec, signal);
    const row: StoredSandbox = {
      sandboxId: `sbx_${randomBytes(9).toString("base64url")}`,
      provider: deps.provider.name,
      providerId: sandbox.id,
      template,
      ...(sessionId === undefined ? {} : { sessionId }),
      generation,
      token: deps.secrets.seal(randomBytes(tokenBytes).toString("hex")),
      cursor: 0,
      state: "creating",
      restartCount: 0,
      createdAt: Date.now(),
    };
    const made = await AgentSandbox.#wrap(deps, sandbox, row);
    if (spec.lifeMs !== undefined) made.#extendedAt = begunAt;
    try {
      await deps.store.putSandbox(row);
      return made;
    } catch (error) {
      await made.#drop();
      throw error;
    }
  }

  /** Where it cannot be ended now, its row tells the reaper to. */
  async #drop(): Promise<void> {
    const forget = () => this.#deps.store.deleteSandbox(this.id);
    await this.terminate()
      .then(forget)
      .catch(() => {});
  }

  /** The sandbox that a row of the store names; undefined when it is gone. */
  static async attach(deps: AgentSandboxDeps, row: StoredSandbox): Promise<AgentSandbox | undefined> {
    const sandbox = await deps.provider.attach(row.providerId);
    return sandbox && AgentSandbox.#wrap(deps, sandbox, row);
  }

  static async #wrap(deps: AgentSandboxDeps, sandbox: Sandbox, row: StoredSandbox): Promise<AgentSandbox> {
    const token = deps.secrets.open(row.token);
    const ask = (path: string, init: RequestInit) => fetchFrom(sandbox, token, path, init);
    const client = await SandboxAgent.connect({
      baseUrl: nowhere,
      fetch: async (input, init) =>
        boundedAnswer(
          await ask(String(input instanceof Request ? input.url : input).slice(nowhere.length), init ?? {}),
          maxAnswerBytes,
          new Headers(init?.headers).get("accept") ?? "",
        ),
    });
    return new AgentSandbox(deps, sandbox, row, { client, ask });
  }

  get row(): StoredSandbox {
    return this.#row;
  }

  get id(): string {
    return this.#row.sandboxId;
  }

  get generation(): number {
    return this.#row.generation;
  }

  get paths(): Sandbox["paths"] {
    return this.#sandbox.paths;
  }

  /** Start the daemon unless it answers already; resolves when it does. `reason`: why the one before it ended. */
  async ensureDaemon(signal?: AbortSignal, reason?: string): Promise<void> {
    if (await this.isHealthy()) return;
    const { data, bundle, home, workspace } = this.paths;
    // Files are put into the workspace before there is a session in it.
    const roots = ["--fs-root", home, "--fs-root", workspace];
    const command = [`${bundle}/${bundleFile}`, "server", "--data-dir", data, "--no-ui", ...roots];
    const token = this.#deps.secrets.open(this.#row.token);
    await this.#sandbox.start(command, {
      ...this.#deps.agentEnv,
      SANDBOX_AGENT_TOKEN: token,
      ...(reason === undefined ? {} : { SANDBOX_AGENT_RESTART_REASON: reason }),
    });
    const deadline = Date.now() + this.#deps.startTimeoutMs;
    for (let wait = firstLookMs; !(await this.isHealthy()); wait = Math.min(wait * looksGrowBy, longestLookMs)) {
      signal?.throwIfAborted();
      const { state, why } = await this.#sandbox.status();
      const isOver = state === "gone" || state === "failed";
      if (isOver || Date.now() > deadline) throw await this.#notStarted(isOver ? why : "it did not answer in time");
      await delay(wait);
    }
  }

  async #notStarted(why: string | undefined): Promise<SandboxError> {
    const tail = (await this.#sandbox.logs(logTailBytes).catch(() => "")).trim();
    const lastLine = tail.split("\n").at(-1);
    const reason = [why?.replace(/\.$/, ""), lastLine].filter(Boolean).join("; ") || "no reason is known";
    return new SandboxError("agent_process_exited", `The daemon in the sandbox could not be started: ${reason}.`, {
      details: { stderr: { tail, truncated: tail.length >= logTailBytes } },
    });
  }

  /** Start the daemon again and count it, but not where the provider could not even try. */
  async restart(signal?: AbortSignal, reason?: string): Promise<void> {
    const count = () => this.#update({ restartCount: this.#row.restartCount + 1 });
    try {
      await this.ensureDaemon(signal, reason);
    } catch (error) {
      if (!(error instanceof SandboxProviderError)) await count();
      throw error;
    }
    await count();
  }

  async isHealthy(): Promise<boolean> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), healthTimeoutMs);
    try {
      const { url, headers, fetch: there = fetch } = await this.#sandbox.endpoint();
      const response = await there(new URL("/v1/health", url), { headers, signal: limit.signal, redirect: "error" });
      const health = (await boundedAnswer(response, maxHealthBytes, "").json()) as { status?: unknown };
      return response.ok && health?.status === "ok";
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Put files into it, which need no daemon for that. */
  write(files: readonly SandboxFile[]): Promise<void> {
    return this.#sandbox.write(files);
  }

  /** What the provider says of it. Never wakes it. */
  life(): Promise<SandboxLife> {
    return this.#sandbox.status();
  }

  /** The last that its daemon said. */
  logs(): Promise<string> {
    return this.#sandbox.logs(logTailBytes);
  }

  /** An exit code when it has ended, null while it is there. */
  async heartbeat(): Promise<number | null> {
    const { state } = await this.#sandbox.status();
    return state === "gone" || state === "failed" ? 1 : null;
  }

  /** The session that it is for; throws while it waits in the pool. */
  get sessionId(): string {
    const { sessionId } = this.#row;
    if (sessionId !== undefined) return sessionId;
    throw new SandboxError("invalid_request", `Sandbox "${this.id}" is of no session yet.`);
  }

  /** Send a prompt to its session past all messages that wait, and read what happens until its turn ends. */
  executeQuery(prompt: string): AsyncGenerator<UniversalEvent, void, undefined> {
    this.allowance.renew();
    return this.client.streamTurn(this.sessionId, { message: prompt });
  }

  /**
   * What happens to the files of its workspace. After each `ready` changes are told; after `overflow`, and after each `ready`
   * but the first, something may have been missed. What arrives is as the sandbox says.
   */
  streamWorkspaceFileChanges(signal?: AbortSignal): AsyncGenerator<FsChange, void, undefined> {
    return this.client.streamFsChanges({ path: this.paths.workspace }, signal);
  }

  /** What was said and done in it, so since it was made: the agent's own form, or events as lines where there is none. */
  readSessionTranscripts(): Promise<TranscriptData> {
    return readTranscripts(this.client, this.sessionId);
  }

  /** The same as blocks. */
  parseSessionTranscripts(): Promise<SessionBlocks> {
    return parseTranscripts(this.client, this.sessionId);
  }

  /** The same as it grows: events as lines, first those that are there. */
  streamSessionTranscriptChanges(signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
    return streamTranscriptChanges(this.client, this.sessionId, signal);
  }

  /** The last event of its daemon that is in the session's log. */
  async cursor(): Promise<number> {
    return (await this.#deps.store.sandbox(this.id))?.cursor ?? 0;
  }

  /** Make its life longer, unless that was done less than so long ago. */
  async extendAfter(ms: number, lifeMs: number): Promise<void> {
    const now = performance.now();
    if (now - this.#extendedAt < ms) return;
    await this.#sandbox.extend(lifeMs);
    this.#extendedAt = now;
  }

  async suspend(): Promise<void> {
    await this.#sandbox.suspend?.();
  }

  /** Answers whether it is still there. */
  async resume(): Promise<boolean> {
    this.#extendedAt = Number.NEGATIVE_INFINITY;
    try {
      await this.#sandbox.resume?.();
    } catch (error) {
      if (error instanceof SandboxProviderError && error.code === "not_found") return false;
      throw error;
    }
    return (await this.#sandbox.status()).state !== "gone";
  }

  /** All that its session needs is in it. */
  ready(): Promise<void> {
    return this.#update({ state: "ready" });
  }

  /** End it for good. Its row stays, says so first, and keeps its generation from being used again. Idempotent. */
  async terminate(): Promise<void> {
    try {
      await this.#update({ state: "ended" });
    } finally {
      await this.#sandbox.destroy();
    }
  }

  async #update(changes: Partial<StoredSandbox>): Promise<void> {
    await this.#deps.store.updateSandbox(this.id, changes);
    this.#row = { ...this.#row, ...changes };
  }
}
