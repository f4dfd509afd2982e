/** Feared: a title that was acknowledged and is gone, or one that takes something else of the session with it. */
import { expect, test } from "vitest";
import { codeOf, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

test("a title that was given is kept over kill -9, whatever the session was called before", async () => {
  const dataDir = temporaryDirectory();
  const first = await DaemonProcess.start({ dataDir });
  await first.client.create("by-message");
  await first.client.turn("by-message", "echo hello");
  await first.client.create("by-request", { title: "Given", env: { NAME: "kept" } });
  for (const [id, title] of [
    ["by-message", "echo hello"],
    ["by-request", "Given"],
  ]) {
    expect((await first.client.call("GET", session(id!))).json()).toMatchObject({ title });
    await first.client.call("PATCH", session(id!), { title: "First" });
    const answer = await first.client.call("PATCH", session(id!), { title: "  Mend the login  " });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ sessionId: id, title: "Mend the login" });
  }
  await first.kill();
  const { client } = await DaemonProcess.start({ dataDir });
  for (const id of ["by-message", "by-request"]) {
    expect((await client.call("GET", session(id))).json()).toMatchObject({ title: "Mend the login", agent: "mock" });
    await client.turn(id, "echo still here");
  }
});

test("a session is renamed while it works, and after its end", async () => {
  const { client } = await startTestDaemon();
  await client.create("s");
  const turn = await client.startTurn("s", "permission");
  await turn.until((event) => event.type === "permission.requested");
  expect((await client.call("PATCH", session("s"), { title: "Busy" })).json()).toMatchObject({
    title: "Busy",
    status: "waiting",
  });
  await client.call("POST", `${session("s")}/terminate`);
  expect((await client.call("PATCH", session("s"), { title: "Over" })).json()).toMatchObject({
    title: "Over",
    ended: true,
  });
});

test.each([{}, { title: null }, { title: "" }, { title: "  " }, { title: 1 }, { title: "x".repeat(501) }])(
  "%j is refused and changes nothing",
  async (body) => {
    const { client } = await startTestDaemon();
    await client.create("s", { title: "Before" });
    const answer = await client.call("PATCH", session("s"), body);
    expect([answer.status, codeOf(answer)]).toEqual([400, "invalid_request"]);
    expect((await client.call("GET", session("s"))).json()).toMatchObject({ title: "Before" });
  },
);

test("a session that is not there is said not to be", async () => {
  const { client } = await startTestDaemon();
  expect(codeOf(await client.call("PATCH", session("no"), { title: "x" }))).toBe("session_not_found");
});
