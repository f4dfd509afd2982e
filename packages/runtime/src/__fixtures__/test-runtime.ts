import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { onTestFinished } from "vitest";
import { buildCli, cliBundle } from "../../../../scripts/setup.mjs";
import { TestProcesses } from "../../../testing/src/__fixtures__/test-processes.ts";
import type { Authenticate } from "../access/access.ts";
import type { QuotaOptions } from "../access/quotas.ts";
import { type Gateway, serveRuntime } from "../gateway/listen.ts";
import type { PersistenceAdapter } from "../persistence/persistence-adapter.ts";
import { type AgentRuntime, type AgentRuntimeConfig, createAgentRuntime } from "../runtime.ts";
import { createLocalProvider } from "../sandboxes/local/local-provider.ts";
import { sandboxVariable } from "../sandboxes/local/sandbox-processes.ts";
import type { Sandbox, SandboxProvider } from "../sandboxes/sandbox-provider.ts";
import type { PoolOptions } from "../sandboxes/warm-sandboxes.ts";
import type { RuntimeLimits } from "../sessions/runtime-deps.ts";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import type { RuntimeStore } from "../store/runtime-store.ts";

export interface TestRuntime {
  readonly runtime: AgentRuntime;
  readonly gateway: Gateway;
  readonly store: RuntimeStore;
  /** With a key that may do everything. */
  readonly client: SandboxAgent;
  clientOf(principal: string, scope?: "read" | "write" | "admin"): Promise<SandboxAgent>;
  /** The ids at the provider of all sandboxes that are there. */
  sandboxes(): Promise<string[]>;
  readonly provider: AgentRuntimeConfig["provider"];
  /** Another runtime on the same store and sandboxes, as after a restart. This one must be closed or abandoned. */
  again(changed?: TestRuntimeOptions): Promise<TestRuntime>;
}

export interface TestRuntimeOptions {
  readonly store?: RuntimeStore;
  readonly limits?: Partial<RuntimeLimits>;
  readonly pool?: PoolOptions;
  readonly persistence?: PersistenceAdapter;
  readonly profilesDir?: string;
  readonly top?: string;
  /** Who makes sandboxes, in the place of plain local ones; disposed of with the runtime. */
  readonly makeProvider?: () => SandboxProvider;
  readonly formerProviders?: readonly SandboxProvider[];
  /** What agents find in their environment, beside a path. */
  readonly agentEnv?: Readonly<Record<string, string>>;
  /** A directory whose files are in the home of every new sandbox. */
  readonly home?: string;
  /** Called before a sandbox is made, which it keeps from happening when it throws. */
  readonly beforeCreate?: () => void | Promise<void>;
  readonly quotas?: QuotaOptions;
  readonly authenticate?: Authenticate;
  readonly oldSecretKeys?: readonly string[];
  /** Has its sandboxes end when this process is killed. */
  readonly processes?: TestProcesses;
  /** What is to be done in the end; default: when the test is over. */
  readonly atEnd?: (clean: () => Promise<void>) => void;
  /** In the place of `fetch` on the way to daemons in sandboxes. */
  readonly network?: typeof fetch;
}

const cors = { origins: [], methods: [], headers: [], credentials: false };
export const secretKey = "a key for tests";

/** A runtime on plain local sandboxes with a gateway before it. In the end nothing of it is left. */
export async function startTestRuntime(options: TestRuntimeOptions = {}): Promise<TestRuntime> {
  await buildCli();
  const top = options.top ?? realpathSync(mkdtempSync(join(tmpdir(), "runtime-")));
  const store = options.store ?? new MemoryRuntimeStore();
  const makeLocal = () => createLocalProvider({ root: join(top, "sandboxes"), isolation: "none" });
  const plain = (options.makeProvider ?? makeLocal)();
  const provider = changed(plain, options);
  const processes = options.processes ?? new TestProcesses();
  processes.watch();
  const runtime = await createAgentRuntime({
    store,
    provider,
    formerProviders: options.formerProviders,
    bundle: dirname(cliBundle),
    programsDir: join(top, "agents"),
    secretKey,
    agentEnv: { HOME: top, PATH: process.env.PATH ?? "", ...processes.markedEnv, ...options.agentEnv },
    limits: { healthIntervalMs: 50, ...options.limits },
    pool: options.pool,
    persistence: options.persistence,
    profilesDir: options.profilesDir,
    persistenceTimeoutMs: 500,
    quotas: options.quotas,
    authenticate: options.authenticate,
    oldSecretKeys: options.oldSecretKeys,
  });
  const gateway = await serveRuntime(runtime, { version: "0.0.0", host: "127.0.0.1", port: 0, cors });
  const clientOf = async (principal: string, scope: "read" | "write" | "admin" = "write") => {
    const { key } = await runtime.keys.create({ name: principal, principal, scope });
    return SandboxAgent.connect({ baseUrl: gateway.url, token: key });
  };
  const sandboxes = async () => {
    const ids: string[] = [];
    for await (const { id } of provider.list({ key: "sandbox-agent-store", value: store.storeId })) ids.push(id);
    return ids;
  };
  (options.atEnd ?? onTestFinished)(async () => {
    await gateway.close();
    await runtime.close();
    for (const id of await sandboxes()) await (await provider.attach(id))?.destroy();
    await processes.end();
    rmSync(top, { recursive: true, force: true, maxRetries: 3 });
  });
  return {
    runtime,
    gateway,
    store,
    provider,
    client: await clientOf("admin", "admin"),
    clientOf,
    sandboxes,
    again: (changed) => startTestRuntime({ ...options, store, top, processes, ...changed }),
  };
}

function changed(provider: SandboxProvider, { home, network, beforeCreate }: TestRuntimeOptions): SandboxProvider {
  const through = (sandbox: Sandbox): Sandbox =>
    network === undefined
      ? sandbox
      : replaced(sandbox, { endpoint: async () => ({ ...(await sandbox.endpoint()), fetch: network }) });
  return replaced(provider, {
    create: async (spec, signal) => {
      await beforeCreate?.();
      const sandbox = await provider.create(spec, signal);
      const isKept = (path: string) => !lstatSync(path).isSocket();
      if (home !== undefined) cpSync(home, sandbox.paths.home, { recursive: true, filter: isKept });
      return through(sandbox);
    },
    attach: async (id, signal) => {
      const sandbox = await provider.attach(id, signal);
      return sandbox && through(sandbox);
    },
  });
}

/** An object with some of its methods replaced. */
function replaced<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get: (target, name) => {
      const value = Reflect.get(name in methods ? methods : target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (_target, name, value) => Reflect.set(methods, name, value),
  });
}

/** End the daemon of a sandbox as an accident would. */
export function killDaemon(sandboxId: string): void {
  const daemon = readdirSync("/proc").find(
    (pid) =>
      /^\d+$/.test(pid) &&
      readProc(pid, "environ").includes(`${sandboxVariable}=${sandboxId}`) &&
      /^[^\0]*node\0[^\0]*sandbox-agent\.cjs\0/.test(readProc(pid, "cmdline")),
  );
  process.kill(Number(daemon), "SIGKILL");
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** The events of a session up to the end of its n-th turn. */
export async function turnsOf(client: SandboxAgent, sessionId: string, count: number) {
  const events = [];
  let ended = 0;
  for await (const event of client.streamEvents(sessionId)) {
    events.push(event);
    if (event.type === "turn.ended") ended += 1;
    if (ended === count) break;
  }
  return events;
}
