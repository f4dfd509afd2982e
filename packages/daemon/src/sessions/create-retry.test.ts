/** Feared: a client whose create got no answer is refused, makes a second session, or takes over somebody else's. */
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { type Client, codeOf, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { stubAgent } from "../__fixtures__/stub-agent.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const create = (client: Client, key?: string, agent = "mock") =>
  client.call("POST", session("s"), { agent }, key === undefined ? {} : { "idempotency-key": key });

test("the same key is answered as the first time, another one or none is refused", async () => {
  const { client } = await startTestDaemon();
  const first = await create(client, "mine");
  expect(first.status).toBe(200);
  await client.turn("s", "echo x");
  const again = await create(client, "mine");
  expect([again.status, again.text]).toEqual([200, first.text]);
  for (const key of ["other", "", undefined]) expect(codeOf(await create(client, key))).toBe("session_already_exists");
  expect((await create(client, "k".repeat(256))).status).toBe(400);
  expect(await client.events("s")).toHaveLength((await client.info("s")).eventCount);
});

test("a session that was created without a key has none", async () => {
  const { client } = await startTestDaemon();
  await client.create("s");
  expect(codeOf(await create(client, "late"))).toBe("session_already_exists");
});

test("of many at once with one key all get the same session, those with another are refused", async () => {
  let opened = 0;
  const { open } = stubAgent("x", {});
  const counting = stubAgent("counting", {
    open: async (options) => {
      opened += 1;
      options.setNativeSessionId(`native-${opened}`);
      return open(options);
    },
  });
  const { client } = await startTestDaemon({ extraAgents: [counting] });
  const keys = Array.from({ length: 12 }, (_, n) => (n % 3 === 2 ? `other-${n}` : "mine"));
  const answers = await Promise.all(keys.map((key) => create(client, key, "counting")));
  expect(answers.map(({ status }) => status)).toEqual(keys.map((key) => (key === "mine" ? 200 : 409)));
  expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
  expect(opened).toBe(1);
});

test("that the agent could not be reached is told again, also after a restart", async () => {
  const broken = stubAgent("broken", {
    open: async () => {
      throw new SandboxError("agent_process_exited", "Sign in first.");
    },
  });
  const dataDir = temporaryDirectory();
  const first = await startTestDaemon({ dataDir, extraAgents: [broken] });
  const answer = await create(first.client, "mine", "broken");
  expect(answer.json()).toMatchObject({ healthy: false, error: { message: "Sign in first." } });
  await first.client.call("PATCH", session("s"), { title: "Renamed" });
  expect((await create(first.client, "mine", "broken")).text).toBe(answer.text);
  await first.close();
  const second = await startTestDaemon({ dataDir, extraAgents: [broken] });
  expect((await create(second.client, "mine", "broken")).text).toBe(answer.text);
  expect((await second.client.info("s")).title).toBe("Renamed");
});

test("a killed daemon knows the key", { timeout: 120_000 }, async () => {
  const dataDir = temporaryDirectory();
  const first = await DaemonProcess.start({ dataDir });
  const answer = await create(first.client, "mine");
  await first.kill();
  const second = await DaemonProcess.start({ dataDir });
  const again = await create(second.client, "mine");
  expect([again.status, again.text]).toEqual([200, answer.text]);
  expect((await create(second.client, "other")).status).toBe(409);
});

test("a key of a session that was deleted creates a new one", async () => {
  const { client } = await startTestDaemon();
  const first = (await create(client, "mine")).json<{ nativeSessionId: string }>();
  await client.call("DELETE", session("s"));
  const second = await create(client, "mine");
  expect(second.status).toBe(200);
  expect(second.json<{ nativeSessionId: string }>().nativeSessionId).not.toBe(first.nativeSessionId);
});
