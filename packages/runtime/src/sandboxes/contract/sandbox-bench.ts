import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox, SandboxSpec } from "../sandbox-provider.ts";
import type { ProviderUnderTest, SandboxContractOptions } from "./provider-under-test.ts";

export const labelOfSuite = { key: "sandbox-agent-suite", value: randomBytes(6).toString("hex") };

/** What every test of the suite does with sandboxes. */
export interface SandboxBench {
  readonly current: ProviderUnderTest;
  create(spec?: Partial<SandboxSpec>): Promise<Sandbox>;
  /** A new sandbox in which a daemon answers. */
  running(spec?: Partial<SandboxSpec>): Promise<RunningSandbox>;
  startDaemon(sandbox: Sandbox, token?: string): Promise<RunningSandbox>;
}

interface RunningSandbox {
  readonly sandbox: Sandbox;
  readonly token: string;
}

export function makeBench(current: () => ProviderUnderTest, { bundle }: SandboxContractOptions): SandboxBench {
  const bench: SandboxBench = {
    get current() {
      return current();
    },
    create: (spec = {}) =>
      current().provider.create({
        bundle,
        ...spec,
        labels: { [labelOfSuite.key]: labelOfSuite.value, ...spec.labels },
      }),
    async running(spec) {
      return bench.startDaemon(await bench.create(spec));
    },
    async startDaemon(sandbox, token = randomBytes(8).toString("hex")) {
      await sandbox.start(daemonCommand(sandbox), { SANDBOX_AGENT_TOKEN: token });
      await untilHealthy(sandbox);
      return { sandbox, token };
    },
  };
  return bench;
}

export function daemonCommand({ paths }: Sandbox): string[] {
  const flags = ["--data-dir", paths.data, "--fs-root", "/", "--no-ui", "--quiet"];
  return [`${paths.bundle}/sandbox-agent.cjs`, "server", ...flags];
}

const HEALTH_ATTEMPT_MS = 5_000;
const REQUEST_MS = 60_000;
const LOOK_EVERY_MS = 20;

/** Ask until the daemon says that it is well; says why not when it ended instead. */
export async function untilHealthy(sandbox: Sandbox): Promise<void> {
  for (;;) {
    if (((await health(sandbox)) as { status?: unknown } | undefined)?.status === "ok") return;
    const { state, why } = await sandbox.status();
    if (state === "failed" || state === "gone") throw new Error(`${why}\n${await sandbox.logs(4_000)}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Undefined when nothing that is JSON comes. */
export async function health(sandbox: Sandbox, withinMs = HEALTH_ATTEMPT_MS): Promise<unknown> {
  try {
    return await (await request(sandbox, "/v1/health", { signal: AbortSignal.timeout(withinMs) })).json();
  } catch {
    return undefined;
  }
}

export async function request(sandbox: Sandbox, path: string, init: RequestInit & { token?: string } = {}) {
  const { url, headers, fetch: own = fetch } = await sandbox.endpoint();
  const { token, ...rest } = init;
  const all = { ...headers, ...(token === undefined ? {} : { "x-sandbox-token": token }) };
  return own(new URL(path, url), { signal: AbortSignal.timeout(REQUEST_MS), ...rest, headers: all });
}

/** Whether a daemon lets in who has this token. */
export async function accepts(sandbox: Sandbox, token: string): Promise<boolean> {
  return (await request(sandbox, "/v1/sessions", { token })).status === 200;
}

/** Look again until it holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(LOOK_EVERY_MS);
}
