import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { expect, test } from "vitest";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { listen, when } from "../__fixtures__/when.ts";
import { ClientStores } from "./client-stores.ts";

test("what any session asks is found without following one, and gone when it is answered", async () => {
  const { client, streams } = await startTestDaemon();
  const { requests, sessions } = new ClientStores(client);
  await client.createSession("calm", { agent: "mock" });
  await client.createSession("asks", { agent: "mock" });
  await client.createSession("wonders", { agent: "mock" });
  listen(requests);
  expect(requests.getRequests()).toEqual({ permissions: [], questions: [] });
  await client.postMessage("asks", { message: "permission" });
  await client.postMessage("wonders", { message: "question" });
  await waiting(client, ["asks", "wonders"]);
  await sessions.refresh();

  const found = await when(
    requests,
    requests.getRequests,
    ({ permissions, questions }) => permissions.length + questions.length === 2,
  );
  expect(found.permissions).toMatchObject([{ sessionId: "asks", status: "requested" }]);
  expect(found.questions).toMatchObject([{ sessionId: "wonders", status: "requested" }]);
  await sessions.refresh();
  expect(requests.getRequests()).toBe(found);

  await client.replyPermission("asks", found.permissions[0]!.permission_id, { reply: "once" });
  await client.rejectQuestion("wonders", found.questions[0]!.question_id);
  await sessions.refresh();
  expect(requests.getRequests()).toEqual({ permissions: [], questions: [] });
  expect(streams).toEqual([]);
});

test("a request far back in a long log is found", async () => {
  const { client } = await startTestDaemon();
  const { requests } = new ClientStores(client);
  await client.createSession("s", { agent: "mock" });
  await client.postMessage("s", { message: "permission" });
  await waiting(client, ["s"]);
  const { pendingPermissions } = await client.getSession("s");
  const listSessions = client.listSessions.bind(client);
  client.listSessions = async () => {
    const { sessions } = await listSessions();
    return { sessions: sessions.map((session) => ({ ...session, eventCount: session.eventCount + 500 })) };
  };
  const { permissions } = await when(requests, requests.getRequests, (found) => found.permissions.length > 0);
  expect(permissions.map(({ permission_id }) => permission_id)).toEqual(pendingPermissions);
});

test("sessions are read at once when one that is followed changes", async () => {
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
  expect(followed.permissions).toEqual(permissions);
  const { data } = stores.sessions.getSnapshot();
  expect(data).toMatchObject([{ sessionId: "s", status: "waiting" }]);
});

/** Looks with a client of its own. */
async function waiting({ baseUrl }: SandboxAgent, sessionIds: readonly string[]): Promise<void> {
  const stores = new ClientStores(await SandboxAgent.connect({ baseUrl }));
  for (const store of sessionIds.map((sessionId) => stores.session(sessionId))) {
    await when(store, store.getState, ({ status }) => status === "waiting");
  }
}
