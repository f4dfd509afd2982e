import { expect, expectTypeOf, test } from "vitest";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { listen, when } from "../__fixtures__/when.ts";
import { ClientStores } from "./client-stores.ts";
import type { PendingPermission, ShortPermission } from "./pending-requests.ts";

test("what any session asks is told by the list of sessions, no log is read, and gone when it is answered", async () => {
  const { client, requests: sent } = await startTestDaemon();
  const { requests, sessions } = new ClientStores(client);
  await client.createSession("calm", { agent: "mock" });
  await client.createSession("asks", { agent: "mock" });
  await client.createSession("wonders", { agent: "mock" });
  listen(requests);
  expect(requests.getRequests()).toEqual({ permissions: [], questions: [] });
  await client.postMessage("asks", { message: "permission" });
  await client.postMessage("wonders", { message: "question" });

  const found = await when(
    requests,
    requests.getRequests,
    ({ permissions, questions }) => permissions.length + questions.length === 2,
  );
  const asked = { sessionId: "asks", status: "requested", kind: "execute", command: expect.any(String) };
  expect(found.permissions).toMatchObject([asked]);
  expect(found.questions).toMatchObject([{ sessionId: "wonders", status: "requested", kind: "question" }]);
  expect(found.questions[0]!.options.length).toBeGreaterThan(1);
  await sessions.refresh();
  expect(requests.getRequests()).toBe(found);

  await client.replyPermission("asks", found.permissions[0]!.permission_id, { reply: "once" });
  await client.rejectQuestion("wonders", found.questions[0]!.question_id);
  await when(
    requests,
    requests.getRequests,
    ({ permissions, questions }) => permissions.length + questions.length === 0,
  );
  expect(sent.filter((request) => request.includes("events"))).toEqual(["GET /v1/events/sse"]);
});

test("the list of sessions and a session that is followed tell the same request", async () => {
  const { client } = await startTestDaemon();
  const stores = new ClientStores(client);
  await client.createSession("s", { agent: "mock" });
  const store = stores.session("s");
  listen(store);
  await when(store, store.getState, ({ connection }) => connection === "live");
  const requested = when(stores.requests, stores.requests.getRequests, ({ permissions }) => permissions.length > 0);
  await store.send("permission");
  const { permissions } = await requested;
  const followed = await when(store, store.getRequests, (requests) => requests.permissions.length > 0);
  const { permission_id, action, command, call_id } = permissions[0]!;
  expect(followed.permissions).toMatchObject([{ permission_id, action, command, call_id }]);
  const { data } = stores.sessions.getSnapshot();
  expect(data).toMatchObject([{ sessionId: "s", status: "waiting" }]);
});

test("of a file change the list of sessions tells no diff, and its type says so", async () => {
  const { client } = await startTestDaemon();
  const stores = new ClientStores(client);
  await client.createSession("s", { agent: "mock" });
  const store = stores.session("s");
  listen(store);
  await store.send("edit");
  const full = await when(store, store.getRequests, ({ permissions }) => permissions.length > 0);
  const short = await when(stores.requests, stores.requests.getRequests, ({ permissions }) => permissions.length > 0);
  expect(full.permissions[0]?.diff).toContain("+++");
  expect(Object.keys(short.permissions[0]!)).not.toContain("diff");
  expectTypeOf<PendingPermission>().toHaveProperty("diff");
  expectTypeOf<ShortPermission>().not.toHaveProperty("diff");
});
