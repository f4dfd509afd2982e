/** Feared: a damaged list of admitted turns makes the daemon run old messages again. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentText, ofType } from "../__fixtures__/client.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

test("turns are not run again when the record of the last one is gone", async () => {
  const first = await startTestDaemon();
  const { dataDir, client } = first;
  await client.create("s");
  await client.turn("s", "one");
  await client.turn("s", "two");
  await first.close();
  const inside = (name: string) => join(dataDir, "sessions", "s", name);
  const [kept] = readFileSync(inside("turns.jsonl"), "utf8").split("\n");
  writeFileSync(inside("turns.jsonl"), `${kept}\n`);
  rmSync(inside("checkpoint.json"));

  const second = await startTestDaemon({ dataDir });
  expect(agentText(await second.client.turn("s", "three"))).toBe("three");
  expect(ofType(await second.client.soundLog("s"), "turn.started")).toHaveLength(3);
});
