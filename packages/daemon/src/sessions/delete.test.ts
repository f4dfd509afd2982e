/** Feared: a deleted session that lives on: in a process, in a stream, on the disk. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentProcesses } from "../__fixtures__/agent-processes.ts";
import { codeOf, session } from "../__fixtures__/client.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

test.each([
  ["mock", "slow 1000 20"],
  ["fake", "slow 1000 20"],
  ["fake", "permission"],
])("%s in the middle of %s: its stream ends, its process is gone, its id is free", async (agent, message) => {
  const { client, dataDir } = await startTestDaemon();
  await client.create("s", { agent });
  const reader = await client.follow("s");
  await client.message("s", message);
  await reader.until((event) => event.source === "agent");
  expect((await client.call("DELETE", session("s"))).status).toBe(204);
  expect(await reader.closed).toBe("ended");
  expect(reader.events.at(-1)?.type).toBe("session.ended");
  expect(agentProcesses(dataDir)).toEqual([]);
  for (const answer of [
    await client.call("GET", session("s")),
    await client.call("GET", `${session("s")}/events`),
    await client.send("s", "hello?"),
    await client.call("DELETE", session("s")),
  ]) {
    expect(codeOf(answer)).toBe("session_not_found");
  }
  await client.create("s", { agent });
  expect(await client.events("s")).toHaveLength(1);
});

test("stays deleted after a restart", async () => {
  const dataDir = temporaryDirectory();
  const first = await startTestDaemon({ dataDir });
  await first.client.create("s");
  await first.client.create("other");
  await first.client.call("DELETE", session("s"));
  await first.close();
  const { client } = await startTestDaemon({ dataDir });
  const { sessions } = (await client.call("GET", "/v1/sessions")).json<{ sessions: { sessionId: string }[] }>();
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["other"]);
});

test("takes along what the agent wrote for it, and nothing of another session", async () => {
  const { client, dataDir } = await startTestDaemon();
  const folder = (of: string, sessionId: string) =>
    join(dataDir, "agents", "mock", of, createHash("sha256").update(sessionId).digest("hex").slice(0, 16));
  const folders = ["images", "sessions"].flatMap((of) => ["s", "other"].map((id) => folder(of, id)));
  for (const sessionId of ["s", "other"]) await client.create(sessionId);
  for (const path of folders) {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "file"), "secret");
  }
  expect((await client.call("DELETE", session("s"))).status).toBe(204);
  expect(folders.map((path) => existsSync(path))).toEqual([false, true, false, true]);
});
