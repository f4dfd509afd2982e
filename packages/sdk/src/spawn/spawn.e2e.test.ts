import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { isAlive } from "../__fixtures__/is-alive.ts";
import { SandboxAgent } from "../client.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { type SandboxAgentSpawnOptions, spawnSandboxAgent } from "./spawn.ts";

const fakeCli = fileURLToPath(new URL("../__fixtures__/fake-cli.mjs", import.meta.url));

interface FakeHealth {
  status: string;
  pid: number;
  token: string;
  dataDir?: string;
  argv: string[];
}

/** Options for the fake CLI in a mode, and what it noted down. */
function fake(mode = ""): { options: SandboxAgentSpawnOptions; notes: () => string[] } {
  const file = join(mkdtempSync(join(tmpdir(), "sandbox-agent-sdk-")), "notes");
  const env = { SANDBOX_AGENT_BIN: fakeCli, SANDBOX_AGENT_DATA_DIR: undefined, FAKE_CLI: mode, FAKE_CLI_NOTES: file };
  return { options: { env }, notes: () => readFileSync(file, "utf8").trim().split("\n") };
}

async function start(options: SandboxAgentSpawnOptions): Promise<SandboxAgent> {
  const client = await SandboxAgent.start({ spawn: options });
  onTestFinished(() => client.dispose());
  return client;
}

const health = (client: SandboxAgent): Promise<FakeHealth> => client.getHealth() as unknown as Promise<FakeHealth>;

const failureOf = async (starting: Promise<unknown>): Promise<SandboxAgentError> => {
  const failure = await starting.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(SandboxAgentError);
  return failure as SandboxAgentError;
};

describe("starting", () => {
  test("the daemon gets a random token by environment, never in argv", async () => {
    const client = await start(fake().options);
    const { token, argv, pid } = await health(client);
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(client.token).toBe(token);
    const { port } = new URL(client.baseUrl);
    expect(argv.slice(2)).toEqual(["server", "--host", "127.0.0.1", "--port", port, "--ephemeral"]);
    if (process.platform === "linux") expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain(token);
  });

  test("two daemons have two ports and two tokens", async () => {
    const [a, b] = await Promise.all([start(fake().options), start(fake().options)]);
    expect(a.baseUrl).not.toBe(b.baseUrl);
    expect(a.token).not.toBe(b.token);
  });

  test("connect without baseUrl starts one, with the token it is given", async () => {
    const client = await SandboxAgent.connect({ token: "mine", spawn: fake().options });
    onTestFinished(() => client.dispose());
    expect(await health(client)).toMatchObject({ status: "ok", token: "mine" });
  });

  test.each([
    ["by option", { dataDir: "/some/where" }],
    ["by environment", { env: { SANDBOX_AGENT_DATA_DIR: "/some/where" } }],
    ["by both, the option winning", { dataDir: "/some/where", env: { SANDBOX_AGENT_DATA_DIR: "/else" } }],
  ])("sessions are kept where they shall be, said %s", async (_, { env, ...given }: SandboxAgentSpawnOptions) => {
    const client = await start({ ...given, env: { ...fake().options.env, ...env } });
    const { dataDir, argv } = await health(client);
    expect(dataDir).toBe("/some/where");
    expect(argv).not.toContain("--ephemeral");
  });

  test("with nowhere to keep them they are kept in memory", async () => {
    const { env } = fake().options;
    const client = await start({ env: { ...env, SANDBOX_AGENT_DATA_DIR: "" } });
    expect((await health(client)).argv).toContain("--ephemeral");
  });

  test.each(["pipe", "inherit", "silent"] as const)("with its output %s", async (log) => {
    const client = await start({ ...fake().options, log });
    expect(await health(client)).toMatchObject({ status: "ok" });
  });
});

describe("what can go wrong", () => {
  test("a daemon that exits is reported at once, with what it said", async () => {
    const failure = await failureOf(spawnSandboxAgent(fake("crash").options));
    expect(failure.message).toContain("exited with code 3");
    expect(failure.message).toContain("the data directory is in use by another daemon");
  });

  test("a daemon that never answers is ended, and reported with what it said", async () => {
    const { options, notes } = fake("mute");
    const failure = await failureOf(spawnSandboxAgent({ ...options, timeoutMs: 1_500 }));
    expect(failure.message).toMatch(/did not answer at http.* within 1500 ms/);
    expect(failure.message).toContain("thinking about it");
    expect(notes()).toContain("SIGTERM");
  });

  test("a program that is not there is reported with what to do", async () => {
    const failure = await failureOf(spawnSandboxAgent({ binaryPath: "/nowhere/sandbox-agent" }));
    expect(failure.message).toContain("/nowhere/sandbox-agent was not found; install");
  });

  test("a free port that was taken meanwhile is replaced by another, three times at most", async () => {
    const { options, notes } = fake("port-taken");
    expect((await failureOf(spawnSandboxAgent(options))).message).toContain("EADDRINUSE");
    expect(notes()).toHaveLength(3);
  });

  test("a port that was asked for is not", async () => {
    const { options, notes } = fake("port-taken");
    await failureOf(spawnSandboxAgent({ ...options, port: 1 }));
    expect(notes()).toEqual(["start 1"]);
  });
});

describe("dispose", () => {
  test("ends the daemon with SIGTERM; twice is once", async () => {
    const { options, notes } = fake();
    const client = await start(options);
    const { pid } = await health(client);
    await Promise.all([client.dispose(), client.dispose()]);
    await client.dispose();
    expect(isAlive(pid)).toBe(false);
    expect(notes().filter((line) => line === "SIGTERM")).toHaveLength(1);
  });

  test("ends a stubborn one with SIGKILL after the grace", async () => {
    const { options, notes } = fake("stubborn");
    const handle = await spawnSandboxAgent(options);
    await handle.dispose();
    expect(handle.child.signalCode).toBe("SIGKILL");
    expect(notes()).toContain("SIGTERM");
  });

  test("of a daemon that is gone already resolves", async () => {
    const handle = await spawnSandboxAgent(fake().options);
    handle.child.kill("SIGKILL");
    await handle.dispose();
    expect(handle.child.signalCode).toBe("SIGKILL");
  });

  test("happens at the end of an `await using` block", async () => {
    const client = await SandboxAgent.start({ spawn: fake().options });
    const { pid } = await health(client);
    await client[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
  });

  test("leaves no listener on this process", async () => {
    const events = ["exit", "SIGINT", "SIGTERM", "SIGHUP"] as const;
    const count = (): number[] => events.map((event) => process.listenerCount(event as "exit"));
    const before = count();
    const handle = await spawnSandboxAgent(fake().options);
    expect(count()).toEqual([(before[0] ?? 0) + 1, ...before.slice(1)]);
    await handle.dispose();
    expect(count()).toEqual(before);
  });
});
