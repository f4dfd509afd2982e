/** Feared: a create that waits for the disk more often than it must, or a session that is lost with its first event. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { MemoryStore } from "@sandbox-agent-ts/store";
import { expect, test } from "vitest";
import { agentText, ofType } from "../__fixtures__/client.ts";
import { openSessions } from "../__fixtures__/open-sessions.ts";
import { ScriptedAgent } from "../__fixtures__/scripted-agent.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

test("a create does not wait for its log to be synced: the store has the session", async () => {
  const store = new MemoryStore();
  let release = () => {};
  store.sync = () =>
    new Promise((resolve) => {
      release = resolve;
    });
  const { session } = await openSessions(store, new ScriptedAgent().adapter, {}).create("s", { agent: "scripted" });
  expect(session.log.head).toBe(1);
  store.sync = async () => {};
  release();
});

test("a session whose events a power cut took is there and takes messages", async () => {
  const first = await startTestDaemon();
  await first.client.create("s");
  await first.close();
  for (const name of ["events.jsonl", "checkpoint.json"]) {
    rmSync(join(first.dataDir, "sessions", "s", name), { force: true });
  }

  const { client } = await startTestDaemon({ dataDir: first.dataDir });
  expect(agentText(await client.turn("s", "one"))).toBe("one");
  expect(ofType(await client.soundLog("s"), "session.started")).toHaveLength(1);
});
