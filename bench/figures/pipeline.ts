import { compare, type Figure } from "../figure.ts";
import { type ChildServer, startBenchServer, startDaemonServer } from "../support/child-server.ts";
import { EventCounter } from "../support/event-counter.ts";
import { call } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { sideBySide } from "../support/statistics.ts";

const floorSays = "parse and re-serialise in memory";

export const pipeline: Figure = {
  name: "pipeline",
  work: "agent stdout → log on disk → one SSE client",
  measure: async ({ rounds }) => [
    compare(
      "100,000 deltas of 20 bytes",
      "events/s",
      floorSays,
      await sideBySide(rounds, ...(await both(100_000, 20))).finally(stopAll),
      { atLeast: 0.8 },
    ),
    compare(
      "1,000 deltas of 64 KB",
      "events/s",
      floorSays,
      await sideBySide(rounds, ...(await both(1_000, 64 * 1024))).finally(stopAll),
    ),
  ],
};

let servers: ChildServer[] = [];

async function both(count: number, size: number): Promise<[() => Promise<number>, () => Promise<number>]> {
  const [floor, daemon] = [await startBenchServer("pipeline-floor"), await startDaemonServer()];
  servers = [floor, daemon];
  const message = `flood ${count} ${size}`;
  let session = 0;
  return [
    () => rate(`${floor.url}/events`, `${floor.url}/messages`, message, count),
    async () => {
      session += 1;
      const base = `${daemon.url}/v1/sessions/s${session}`;
      await call(base, "POST", { agent: "fake" });
      await call(`${base}/messages`, "POST", { message: "warm" });
      const { eventCount } = await idleSession(base);
      const measured = await rate(`${base}/events/sse?offset=0`, `${base}/messages`, message, eventCount + count);
      return measured * (count / (eventCount + count));
    },
  ];
}

/** Events per second from sending the message to having the last one. */
async function rate(events: string, messages: string, message: string, last: number): Promise<number> {
  const reader = await EventCounter.follow(events);
  const start = performance.now();
  await call(messages, "POST", { message });
  await reader.reached(last);
  const seconds = (performance.now() - start) / 1000;
  reader.close();
  if (reader.outOfOrder > 0) throw new Error(`${reader.outOfOrder} events were lost or out of order`);
  return last / seconds;
}

async function stopAll(): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}
