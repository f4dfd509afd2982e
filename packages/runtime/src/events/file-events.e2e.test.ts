/** Feared: a page that shows files as they were before the agent changed them, or a room in which files of others are told. */
import { expect, test, vi } from "vitest";
import { hostileAgentEnv } from "../__fixtures__/hostile-agent.ts";
import { startTestRuntime, type TestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";
import { ask, connect, keyOf } from "../gateway/socket/__fixtures__/socket-reader.ts";
import { fileEventNames } from "./file-events.ts";

const long = 180_000;
const soon = { timeout: 30_000, interval: 20 };

type Told = { readonly name: string; readonly data: { readonly sessionId: string } };

const resync = (sessionId: string) => ({ name: "session:file:resync", data: { sessionId } });
const file = (type: string, sessionId: string, path: string) => ({
  name: `session:file:${type}`,
  data: { sessionId, file: { path, entryType: "file" } },
});

function onBus({ runtime }: TestRuntime): Told[] {
  const told: Told[] = [];
  for (const name of fileEventNames) runtime.events.on(name, (data) => void told.push({ name, data }));
  return told;
}

async function inRoom(running: TestRuntime, sessionId: string): Promise<Told[]> {
  const told: Told[] = [];
  const socket = connect(running.gateway.url, await keyOf(running, "ann"));
  socket.onAny((name: string, data: Told["data"]) => {
    if (name.startsWith("session:file:")) told.push({ name, data });
  });
  expect(await ask(socket, "session:join", { sessionId })).toMatchObject({ ok: true });
  return told;
}

/** Lets the agent go on from the n-th time that it asked. */
async function allow({ client }: TestRuntime, sessionId: string, count: number): Promise<void> {
  const asked: string[] = [];
  for await (const event of client.streamEvents(sessionId)) {
    if (event.type === "permission.requested") asked.push(event.data.permission_id);
    if (asked.length === count) break;
  }
  await client.replyPermission(sessionId, asked.at(-1)!, { reply: "once" });
}

test(
  "files that the agent makes, changes and deletes are told while its turn runs, on the bus and in the room",
  async () => {
    const running = await startTestRuntime({ agentEnv: hostileAgentEnv() });
    const { client } = running;
    const ann = await running.clientOf("ann");
    for (const id of ["s", "other"]) await ann.createSession(id, { agent: "hostile" });
    const [bus, room, elsewhere] = [onBus(running), await inRoom(running, "s"), await inRoom(running, "other")];
    await client.postMessage("s", { message: "files ? +a.txt ? +a.txt ? -a.txt ?" });
    const expected: unknown[] = [resync("s")];
    for (const [step, next] of [
      file("created", "s", "a.txt"),
      file("modified", "s", "a.txt"),
      file("deleted", "s", "a.txt"),
    ].entries()) {
      await vi.waitFor(() => expect([bus, room]).toEqual([expected, expected]), soon);
      await allow(running, "s", step + 1);
      expected.push(next);
    }
    await vi.waitFor(() => expect([bus, room]).toEqual([expected, expected]), soon);
    expect((await client.getSession("s")).status).not.toBe("idle");
    await allow(running, "s", 4);
    await turnsOf(client, "s", 1);
    expect(elsewhere).toEqual([]);

    await running.runtime.sessions.getSession("s")!.deactivateSandbox("for the test");
    await client.postMessage("s", { message: "files +b.txt ? +c.txt" });
    await vi.waitFor(() => expect(room.slice(4)).toContainEqual(resync("s")), soon);
    await allow(running, "s", 5);
    await vi.waitFor(() => expect(room).toContainEqual(file("created", "s", "c.txt")), soon);
  },
  long,
);

test(
  "nothing is asked of a sandbox while nobody listens",
  async () => {
    const asked: string[] = [];
    const network: typeof fetch = (input, init) => {
      const { pathname } = new URL(String(input instanceof Request ? input.url : input));
      if (pathname.startsWith("/v1/fs/changes")) asked.push(pathname);
      return fetch(input, init);
    };
    const running = await startTestRuntime({ network });
    await running.client.createSession("s", { agent: "mock" });
    await running.client.postMessage("s", { message: "echo one" });
    await turnsOf(running.client, "s", 1);
    expect(asked).toEqual([]);
    const told = onBus(running);
    await vi.waitFor(() => expect(told).toEqual([resync("s")]), soon);
    expect(asked).toHaveLength(1);
  },
  long,
);
