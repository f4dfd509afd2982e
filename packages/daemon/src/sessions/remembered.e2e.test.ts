/** Feared: a person allowed something for always, the daemon is killed, and they are asked again. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Client, ofType, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";

/** The turn is left open after the answer, so that only the answer itself can have kept it. */
async function allowAlways(client: Client, id: string): Promise<void> {
  const turn = await client.startTurn(id, "permission");
  const asked = ofType(await turn.until(({ type }) => type === "permission.requested"), "permission.requested");
  const path = `${session(id)}/permissions/${asked.at(-1)!.data.permission_id}/reply`;
  expect((await client.call("POST", path, { reply: "always" })).status).toBe(204);
}

async function isAsked(client: Client, id: string): Promise<boolean> {
  const turn = await client.startTurn(id, "permission");
  const last = (await turn.until(({ type }) => type === "permission.requested" || type === "turn.ended")).at(-1);
  return last?.type === "permission.requested";
}

test("what was allowed for always is still allowed after a kill, in that session alone", async () => {
  const dataDir = temporaryDirectory();
  const first = await DaemonProcess.start({ dataDir });
  for (const id of ["trusted", "other"]) await first.client.create(id, { agent: "mock" });
  await allowAlways(first.client, "trusted");
  await first.kill();

  const second = await DaemonProcess.start({ dataDir });
  expect(await isAsked(second.client, "trusted")).toBe(false);
  await second.kill();

  const third = await DaemonProcess.start({ dataDir });
  expect(await isAsked(third.client, "trusted")).toBe(false);
  expect(await isAsked(third.client, "other")).toBe(true);
});

test("a memory that cannot be read is as good as none", async () => {
  const dataDir = temporaryDirectory();
  const first = await DaemonProcess.start({ dataDir });
  await first.client.create("trusted", { agent: "mock" });
  await allowAlways(first.client, "trusted");
  await first.kill();
  writeFileSync(join(dataDir, "sessions", "trusted", "memory.json"), '{"allowed');

  const second = await DaemonProcess.start({ dataDir });
  expect(await isAsked(second.client, "trusted")).toBe(true);
});
