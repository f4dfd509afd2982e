import { expect, test } from "vitest";
import { AgentHarness } from "../../contract/agent-harness.ts";
import { openMock } from "./__fixtures__/open-mock.ts";
import { adapter } from "./index.ts";

test("a turn costs its words, the same every time", async () => {
  const harness = await openMock();
  const first = await harness.prompt("echo one two three");
  expect(first.outcome).toMatchObject({
    usage: { input_tokens: 4, output_tokens: 3, reasoning_tokens: 0 },
    cost: { amount: 0.000_016, currency: "USD" },
    model: "mock-1",
  });
  expect((await harness.prompt("echo one two three")).outcome).toEqual(first.outcome);
});

test("reasoning is counted apart and as output", async () => {
  const harness = await openMock();
  const { usage } = (await harness.prompt("markdown")).outcome;
  expect(usage?.reasoning_tokens).toBeGreaterThan(0);
  expect(usage?.output_tokens).toBeGreaterThan(usage?.reasoning_tokens ?? 0);
});

test("the session's model is the turn's", async () => {
  const harness = await openMock({ model: "mock-2" });
  expect((await harness.prompt("hello")).outcome.model).toBe("mock-2");
});

test("its native id is its own", async () => {
  const harness = await openMock();
  expect(harness.nativeSessionId).toMatch(/^mock-[0-9a-f-]{36}$/);
});

test("answering what it did not ask is refused", async () => {
  const session = await adapter.open({
    host: {
      env: {},
      dataDir: "unused",
      installRoot: "unused",
      log: console,
      spawn: () => expect.fail("the mock starts nothing"),
    },
    session: { sessionId: "s", agentMode: "build", permissionMode: "default", directory: ".", env: {} },
    itemPrefix: "i-",
    emit: () => {},
    setNativeSessionId: () => {},
    remember() {},
  });
  await expect(session.answerPermission("nothing", "once")).rejects.toMatchObject({ code: "request_not_found" });
  await expect(session.answerQuestion("nothing", [])).rejects.toMatchObject({ code: "request_not_found" });
  await session.close();
});

test("a failure inside a scenario ends its turn with an error, and the session goes on", async () => {
  const missing = { host: { dataDir: "no/such/directory" } };
  const harness = await AgentHarness.open(adapter, {}, missing);
  expect((await harness.prompt("image")).outcome).toMatchObject({
    reason: "error",
    message: expect.stringContaining("ENOENT"),
  });
  expect((await harness.prompt("hello")).outcome.reason).toBe("completed");
  await harness.dispose();
});
