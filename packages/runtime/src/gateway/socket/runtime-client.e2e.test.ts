/** Feared: a client that shows something else over one transport than over the other, or that stops at a restart. */
import { RuntimeClient, type RuntimeEvent } from "@sandbox-agent-ts/sdk/runtime";
import { expect, test } from "vitest";
import { startTestRuntime } from "../../__fixtures__/test-runtime.ts";
import { serveRuntime } from "../listen.ts";
import { keyOf } from "./__fixtures__/socket-reader.ts";

const long = 180_000;

async function untilEnd(events: AsyncIterable<RuntimeEvent>, onEvent: (count: number) => void = () => {}) {
  const all: RuntimeEvent[] = [];
  for await (const event of events) {
    if (event.name !== "session:status") all.push(event);
    onEvent(all.length);
    if (event.name === "session:turn:ended") break;
  }
  return all;
}

test(
  "over both transports a client sees the same, also when the gateway restarts in the middle of it",
  async () => {
    const testRuntime = await startTestRuntime();
    const { gateway, runtime } = testRuntime;
    const key = await keyOf(testRuntime, "ann");
    let asked = 0;
    const token = () => {
      asked += 1;
      return key;
    };
    const connect = (transport: "socket" | "sse") => RuntimeClient.connect({ baseUrl: gateway.url, token, transport });
    const [bySocket, bySse] = [await connect("socket"), await connect("sse")];
    await bySocket.api.createSession("s", { agent: "mock" });
    const states = await Promise.all([bySocket, bySse].map(async (client) => (await client.follow("s").next()).value));
    const [socketState, sseState] = states.map((event) => event as Extract<RuntimeEvent, { name: "session:state" }>);
    expect(socketState).toMatchObject({ name: "session:state", data: { cursor: sseState!.data.cursor } });
    expect(socketState!.data.state.blocks).toEqual(sseState!.data.state.blocks);

    const after = socketState!.data.cursor;
    let cut: Promise<unknown> | undefined;
    const restart = async () => {
      await gateway.close();
      const cors = { origins: [], methods: [], headers: [], credentials: false };
      return serveRuntime(runtime, { version: "0.0.0", host: "127.0.0.1", port: gateway.port, cors });
    };
    const following = untilEnd(bySocket.follow("s", { after }), (count) => {
      if (count > 30) cut ??= restart();
    });
    await bySocket.api.postMessage("s", { message: "slow 300 3" });
    const live = await following;
    const second = (await cut) as Awaited<ReturnType<typeof restart>>;
    try {
      expect(live).toEqual(await untilEnd(bySse.follow("s", { after })));
      expect(live.length).toBeGreaterThan(300);
      expect(asked).toBeGreaterThan(3);
      await expect(bySocket.follow("none").next()).rejects.toMatchObject({ status: 404 });
    } finally {
      await second.close();
    }
  },
  long,
);
