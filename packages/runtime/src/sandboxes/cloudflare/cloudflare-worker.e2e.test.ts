// The Worker of examples/cloudflare in the real workerd, its containers on a real Docker engine.
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { describeSandbox } from "../contract/describe-sandbox.ts";
import { type TestEngine, testEngine } from "../docker/__fixtures__/test-engine.ts";
import { answerIn, SuiteRuntime } from "../hosted/contract/suite-runtime.ts";
import type { Sandbox, SandboxProvider } from "../sandbox-provider.ts";
import { cloudflareUnderTest } from "./__fixtures__/cloudflare-under-test.ts";
import { type RealWorker, startRealWorker } from "./__fixtures__/real-worker.ts";

const bundle = dirname(cliBundle);
const engine = await testEngine();
const missing = "problem" in engine ? ` (left out: ${engine.problem})` : "";

describe.skipIf(missing !== "")(`in workerd, with containers of a real engine${missing}`, () => {
  let worker: RealWorker;
  beforeAll(async () => {
    await buildCli();
    worker = await startRealWorker(engine as TestEngine);
  }, 300_000);
  afterAll(() => worker?.close());
  const open = async (): Promise<SandboxProvider> => cloudflareUnderTest(worker).another();
  const ask = async (method: string, id: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${worker.settings.key}` };
    const answer = await fetch(`${worker.settings.url}/boxes/${id}`, { method, headers, body: JSON.stringify(body) });
    return [answer.status, answer.status === 204 ? undefined : await answer.json()];
  };
  const create = async (idleMs: number) => (await open()).create({ labels: { of: "worker" }, bundle, idleMs });
  const gone = (sandbox: Sandbox) =>
    expect.poll(async () => (await sandbox.status()).state, { timeout: 30_000, interval: 100 }).toBe("gone");

  describeSandbox("cloudflare", async () => cloudflareUnderTest({ ...worker, close: async () => {} }), { bundle });

  test("a whole session: message, permission, a killed daemon, a lost container, the end", async () => {
    const suite = await SuiteRuntime.start({ open, bundle });
    const { providerId } = await suite.begin();
    await suite.client.replyPermission("s", await suite.ask(), { reply: "once" });
    const completed = { type: "turn.ended", data: { metadata: { reason: "completed" } } };
    expect((await suite.settled()).at(-1)).toMatchObject(completed);

    await suite.ask();
    for (const pid of await worker.daemons(providerId)) process.kill(pid, "SIGKILL");
    expect(answerIn(await suite.settled())).toContain("failed: ");
    expect(await suite.say("echo again")).toBe("again");
    expect(await suite.sandbox()).toMatchObject({ generation: 1, restartCount: 1 });

    await suite.writeFile("kept.txt", "kept");
    expect(await suite.say("echo once more")).toBe("once more");
    await suite.quiet();
    await worker.lose(providerId);
    expect(await suite.say("echo elsewhere")).toBe("elsewhere");
    expect(await suite.readFile("kept.txt")).toBe("kept");
    expect(await suite.sandbox()).toMatchObject({ generation: 2 });

    await suite.client.deleteSession("s");
    expect(await suite.sandboxes()).toEqual([]);
  });

  test.each([
    ["of a length that is known", { "content-length": "1000" }],
    ["without a length", {}],
  ])("a stream %s ends with the daemon that sends it", async (_, headers) => {
    const sandbox = await create(60_000);
    const path = `${sandbox.paths.workspace}/sandbox-agent.cjs`;
    const program = `require("node:http").createServer((_, response) => {
      response.writeHead(200, ${JSON.stringify(headers)}).write("beginning");
    }).listen(2468, "0.0.0.0", () => console.error("listening"));`;
    await sandbox.write([{ path, data: Buffer.from(program) }]);
    await sandbox.start([path], {});
    await expect.poll(() => sandbox.logs(1_000)).toContain("listening");
    const { fetch: there, url } = await sandbox.endpoint();
    const answer = await there!(url);
    const reader = answer.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe("beginning");
    for (const pid of await worker.daemons(sandbox.id)) process.kill(pid, "SIGKILL");
    if ("content-length" in headers) await expect(reader.read()).rejects.toThrow();
    else await reader.read().catch(() => {});
    await sandbox.destroy();
  });

  test("one that nobody uses falls asleep, is gone, and is not woken by who asks for it", async () => {
    const sandbox = await create(2_000);
    await gone(sandbox);
    expect((await sandbox.status()).why).toContain("fell asleep after 2 seconds without a request");
    await expect(sandbox.start(["-v"], {})).rejects.toMatchObject({ code: "not_found" });
    await expect.poll(() => worker.leftovers(sandbox.id), { timeout: 30_000 }).toEqual([]);
  });

  test("one is awake for as long as it was extended", async () => {
    const sandbox = await create(20_000);
    await sandbox.extend(120_000);
    const { expiresAt = 0 } = await sandbox.status();
    expect(expiresAt).toBeGreaterThan(Date.now() + 60_000);
    await sandbox.destroy();
  });

  test("a container that ended is told with a reason", async () => {
    const sandbox = await create(60_000);
    await worker.lose(sandbox.id);
    await gone(sandbox);
    expect((await sandbox.status()).why).toMatch(/^Its container (ended|was stopped)/);
    const provider = await open();
    expect(await provider.attach(sandbox.id)).toBe(undefined);
  });

  test("who has another key gets nowhere, and nobody reaches the program that starts the daemon", async () => {
    const sandbox = await create(60_000);
    const { url, key } = worker.settings;
    const status = async (path: string, authorization: string, method = "GET") =>
      (await fetch(`${url}${path}`, { method, headers: { authorization } })).status;
    const box = `/boxes/${sandbox.id}`;
    for (const path of ["/", "/boxes", box, `${box}/logs`, `${box}/port/2468/v1/health`, `${box}/port/2469/daemon`])
      for (const header of ["", "Bearer ", `Bearer ${key.slice(1)}`, `Bearer ${key}x`, key])
        expect(await status(path, header), `${path} with "${header}"`).toBe(401);
    expect(await status(box, `Bearer wrong`, "DELETE")).toBe(401);
    expect(await status(`${box}/port/2469/daemon`, `Bearer ${key}`)).toBe(403);
    expect(await status(`${box}/port/2468/v1/health`, `Bearer ${key}`)).toBe(502);
    expect(await status("/boxes/never-made", `Bearer ${key}`)).toBe(404);
    await sandbox.destroy();
  });

  test("an id that was ended, or that somebody does not want, is never made again", async () => {
    expect(await ask("DELETE", "never")).toEqual([204, undefined]);
    expect((await ask("PUT", "never", {}))[0]).toBe(410);
    const [, first] = await ask("PUT", "twice", { labels: { a: "b" } });
    const [status, second] = await ask("PUT", "twice", { labels: { a: "b" } });
    expect([status, { ...(second as object), expiresAt: 0 }]).toEqual([200, { ...(first as object), expiresAt: 0 }]);
    expect((await ask("PUT", "twice", { labels: { a: "c" } }))[0]).toBe(409);
    expect((await ask("DELETE", "twice"))[0]).toBe(204);
    expect((await ask("PUT", "twice", { labels: { a: "b" } }))[0]).toBe(410);
    expect(await worker.leftovers("twice")).toEqual([]);
  });

  test("one that is ended while it starts is refused, and nothing of it is left", async () => {
    const creating = ask("PUT", "unwanted", {});
    await expect.poll(() => worker.leftovers("unwanted"), { timeout: 30_000, interval: 20 }).toHaveLength(1);
    expect((await ask("DELETE", "unwanted"))[0]).toBe(204);
    expect((await creating)[0]).not.toBe(200);
    expect((await ask("PUT", "unwanted", {}))[0]).toBe(410);
    expect(await worker.leftovers("unwanted")).toEqual([]);
  });
});
