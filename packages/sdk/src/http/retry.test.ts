import { describe, expect, test } from "vitest";
import { listen, respondJson } from "../__fixtures__/scripted-server.ts";
import { SandboxAgent } from "../client.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { backoffMs, CALL_BACKOFF, MAX_RETRY_AFTER_MS, retryDelayMs } from "./retry.ts";

const answered = (status: number, headers: Record<string, string> = {}): SandboxAgentError =>
  new SandboxAgentError(status, undefined, new Response(null, { status, headers }));

/** Fails `failures` times in the given way, then answers; counts the requests and keeps the keys. */
async function flaky(failures: number, status: number | "cut" | "cut-body") {
  const keys: (string | undefined)[] = [];
  const baseUrl = await listen((request, response) => {
    keys.push(request.headers["idempotency-key"]?.toString());
    if (keys.length > failures) return respondJson(response, 200, { turnId: "t" });
    if (status === "cut") return void response.destroy();
    if (status === "cut-body") {
      response.writeHead(200, { "content-length": 100 });
      return void response.write('{"turn', () => response.destroy());
    }
    respondJson(response, status, {});
  });
  return { client: await SandboxAgent.connect({ baseUrl }), keys };
}

describe("what is tried again", () => {
  test.each(["cut", "cut-body", 502, 503, 504] as const)(
    "a GET, and a message with the same key, after %s",
    async (how) => {
      const reading = await flaky(2, how);
      await reading.client.listSessions();
      expect(reading.keys).toHaveLength(3);

      const writing = await flaky(2, how);
      expect(await writing.client.postMessage("s", { message: "hi" })).toEqual({ turnId: "t" });
      expect(writing.keys).toHaveLength(3);
      expect(new Set(writing.keys).size).toBe(1);
      expect(writing.keys[0]).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  test("the caller's own key is used", async () => {
    const { client, keys } = await flaky(0, 503);
    await client.postMessage("s", { message: "hi" }, { idempotencyKey: "mine" });
    expect(keys).toEqual(["mine"]);
  });

  test("only so often", async () => {
    const { client, keys } = await flaky(Number.POSITIVE_INFINITY, 503);
    await expect(client.listSessions()).rejects.toMatchObject({ status: 503 });
    expect(keys).toHaveLength(1 + CALL_BACKOFF.retries);
  });
});

describe("what is not", () => {
  test.each(["cut", 503] as const)("calls that change something, after %s", async (how) => {
    const { client, keys } = await flaky(Number.POSITIVE_INFINITY, how);
    const calls = [
      () => client.createSession("s", { agent: "mock" }),
      () => client.deleteSession("s"),
      () => client.terminateSession("s"),
      () => client.writeFsFile({ path: "f" }, "x"),
      () => client.moveFs({ from: "a", to: "b" }),
    ];
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(SandboxAgentError);
    expect(keys).toHaveLength(calls.length);
  });

  test.each([400, 404, 409, 429, 500])("a GET that was answered with %i", async (status) => {
    const { client, keys } = await flaky(1, status);
    await expect(client.listSessions()).rejects.toMatchObject({ status });
    expect(keys).toHaveLength(1);
  });
});

describe("how long to wait", () => {
  test("what the server asks for, up to a bound", () => {
    expect(retryDelayMs(answered(429, { "retry-after": "2" }), 0, CALL_BACKOFF)).toBe(2_000);
    expect(retryDelayMs(answered(503, { "retry-after": "0" }), 0, CALL_BACKOFF)).toBe(0);
    const tooLong = String(MAX_RETRY_AFTER_MS / 1_000 + 1);
    expect(retryDelayMs(answered(429, { "retry-after": tooLong }), 0, CALL_BACKOFF)).toBeUndefined();
  });

  test("a date is understood, and one that has passed means now", () => {
    const past = new Date(0).toUTCString();
    expect(retryDelayMs(answered(503, { "retry-after": past }), 0, CALL_BACKOFF)).toBe(0);
    const far = new Date(Date.now() + 3_600_000).toUTCString();
    expect(retryDelayMs(answered(503, { "retry-after": far }), 0, CALL_BACKOFF)).toBeUndefined();
  });

  test("twice as long each time, with jitter, up to a bound", () => {
    for (let failures = 0; failures < 40; failures += 1) {
      const ceiling = Math.min(CALL_BACKOFF.maxMs, CALL_BACKOFF.baseMs * 2 ** failures);
      const wait = backoffMs(failures, CALL_BACKOFF);
      expect(wait).toBeGreaterThanOrEqual(ceiling / 2);
      expect(wait).toBeLessThanOrEqual(ceiling);
    }
  });
});
