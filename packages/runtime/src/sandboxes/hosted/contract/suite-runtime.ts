import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkStream, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { expect, onTestFinished } from "vitest";
import { SecretBox } from "../../../access/secret-box.ts";
import { serveRuntime } from "../../../gateway/listen.ts";
import { type AgentRuntime, createAgentRuntime } from "../../../runtime.ts";
import type { RuntimeLimits } from "../../../sessions/runtime-deps.ts";
import { storeLabel } from "../../../sessions/sandbox-spec.ts";
import { MemoryRuntimeStore } from "../../../store/memory/memory-runtime-store.ts";
import type { RuntimeStore, StoredSandbox } from "../../../store/runtime-store.ts";
import type { SandboxProvider } from "../../sandbox-provider.ts";

/** Sandboxes are given it for a model; a service must never see it. */
export const modelKey = "sk-model-key-that-no-service-sees";
const secretKey = "the secret key of the suite";
const cors = { origins: [], methods: [], headers: [], credentials: false };

export interface SuiteRuntimeOptions {
  readonly open: () => Promise<SandboxProvider>;
  readonly bundle: string;
  readonly limits?: Partial<RuntimeLimits>;
  readonly store?: RuntimeStore;
}

/** A real runtime on the provider, with a client before it. In the end its sandboxes are ended. */
export class SuiteRuntime {
  readonly runtime: AgentRuntime;
  readonly client: SandboxAgent;
  readonly store: RuntimeStore;
  /** Another instance of the provider, as another process has it. */
  readonly provider: SandboxProvider;
  /** How the session's sandbox was, in order: state and step. */
  readonly steps: string[] = [];
  readonly #options: SuiteRuntimeOptions;
  readonly #leave: () => Promise<void>;

  private constructor(
    options: SuiteRuntimeOptions,
    parts: Pick<SuiteRuntime, "runtime" | "client" | "store" | "provider">,
    leave: () => Promise<void>,
  ) {
    this.#options = options;
    this.runtime = parts.runtime;
    this.client = parts.client;
    this.store = parts.store;
    this.provider = parts.provider;
    this.#leave = leave;
    this.runtime.events.on("session:status", ({ runtime: { sandbox } }) => {
      if (sandbox) this.steps.push(`${sandbox.status} ${sandbox.statusMessage ?? ""}`.trim());
    });
  }

  static async start(options: SuiteRuntimeOptions): Promise<SuiteRuntime> {
    const { open, bundle, limits, store = new MemoryRuntimeStore() } = options;
    const top = realpathSync(mkdtempSync(join(tmpdir(), "hosted-suite-")));
    const provider = await open();
    const runtime = await createAgentRuntime({
      store,
      provider: await open(),
      bundle,
      programsDir: join(top, "agents"),
      secretKey,
      agentEnv: { ANTHROPIC_API_KEY: modelKey },
      limits: { healthIntervalMs: 50, reapIntervalMs: 500, ...limits },
    });
    const gateway = await serveRuntime(runtime, { version: "0.0.0", host: "127.0.0.1", port: 0, cors });
    const { key } = await runtime.keys.create({ name: "suite", principal: "suite", scope: "admin" });
    const client = await SandboxAgent.connect({ baseUrl: gateway.url, token: key });
    const leave = async () => {
      await gateway.close();
      await runtime.sessions.close();
    };
    onTestFinished(async () => {
      await leave();
      await runtime.close();
      await endAll(provider, store.storeId);
      await provider.dispose();
      rmSync(top, { recursive: true, force: true, maxRetries: 3 });
    });
    return new SuiteRuntime(options, { runtime, client, store, provider }, leave);
  }

  /** This one leaves as it is; another goes on with its store and its sandboxes. */
  async again(limits: Partial<RuntimeLimits> = {}): Promise<SuiteRuntime> {
    await this.#leave();
    const { store } = this;
    return SuiteRuntime.start({ ...this.#options, store, limits: { ...this.#options.limits, ...limits } });
  }

  /** A session of the mock agent that has answered once, so that it has a sandbox. */
  async begin(sessionId = "s"): Promise<StoredSandbox> {
    await this.client.createSession(sessionId, { agent: "mock" });
    expect(await this.say("echo hello", sessionId)).toBe("hello");
    return this.row(sessionId);
  }

  /** Send a message and answer what the agent says, or why its turn failed. */
  async say(message: string, sessionId = "s"): Promise<string> {
    const events: UniversalEvent[] = [];
    for await (const event of this.client.streamTurn(sessionId, { message })) events.push(event);
    return answerIn(events);
  }

  /** Send a message whose turn waits for a permission; answers the permission's id. */
  async ask(sessionId = "s"): Promise<string> {
    const { sequence } = (await this.events(sessionId)).at(-1)!;
    await this.client.postMessage(sessionId, { message: "permission" });
    for await (const event of this.client.streamEvents(sessionId, { offset: sequence }))
      if (event.type === "permission.requested") return event.data.permission_id;
    throw new Error("The session ended before it asked for a permission.");
  }

  /** All events of a session once nothing runs in it, checked as a stream. */
  async settled(sessionId = "s"): Promise<readonly UniversalEvent[]> {
    await expect.poll(async () => (await this.client.getSession(sessionId)).status, { timeout: 60_000 }).toBe("idle");
    const events = await this.events(sessionId);
    expect(checkStream(events)).toEqual([]);
    return events;
  }

  /** A message was taken whose turn has not ended. */
  async isWaiting(sessionId = "s"): Promise<boolean> {
    return (await this.runtime.sessions.loadSession(sessionId)).isRunning;
  }

  /** Nothing is done any more for the turns of a session. */
  async quiet(sessionId = "s"): Promise<void> {
    const session = await this.runtime.sessions.loadSession(sessionId);
    await expect.poll(() => session.isRunning, { timeout: 60_000, interval: 10 }).toBe(false);
  }

  /** What is done with one in which nothing happened for a long time. */
  async idle(sessionId = "s"): Promise<void> {
    await this.quiet(sessionId);
    await (await this.runtime.sessions.loadSession(sessionId)).suspendIfIdle();
  }

  async events(sessionId = "s"): Promise<readonly UniversalEvent[]> {
    return (await this.client.getEvents(sessionId)).events;
  }

  async sandbox(sessionId = "s") {
    return (await this.client.getSession(sessionId)).runtime?.sandbox;
  }

  async row(sessionId = "s"): Promise<StoredSandbox> {
    return (await this.store.sandboxOf(sessionId))!;
  }

  /** The ids at the service of all that is there for this store. */
  sandboxes(): Promise<string[]> {
    return idsAt(this.provider, this.store.storeId);
  }

  /** The token of the daemon of a session. */
  async tokenOf(sessionId = "s"): Promise<string> {
    return new SecretBox(secretKey).open((await this.row(sessionId)).token);
  }

  async writeFile(name: string, text: string, sessionId = "s"): Promise<void> {
    await this.client.writeFsFile({ path: name, sessionId }, text);
  }

  async readFile(name: string, sessionId = "s"): Promise<string> {
    return Buffer.from(await this.client.readFsFile({ path: name, sessionId })).toString();
  }
}

/** What the agent said in a turn, or why the turn failed. */
export function answerIn(events: readonly UniversalEvent[]): string {
  const texts = events.flatMap((event) => {
    if (event.type !== "item.completed" || event.data.item.role !== "assistant") return [];
    return event.data.item.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  });
  const end = events.findLast(({ type }) => type === "turn.ended");
  const metadata = end?.type === "turn.ended" ? end.data.metadata : undefined;
  return metadata?.reason === "completed" ? texts.join("\n") : `failed: ${metadata?.message ?? "no reason"}`;
}

export async function idsAt(provider: SandboxProvider, storeId: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of provider.list({ key: storeLabel, value: storeId })) ids.push(id);
  return ids;
}

async function endAll(provider: SandboxProvider, storeId: string): Promise<void> {
  for (const id of await idsAt(provider, storeId)) await (await provider.attach(id))?.destroy();
}
