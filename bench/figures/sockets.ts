import { compare, type Figure } from "../figure.ts";
import { EventCounter } from "../support/event-counter.ts";
import { call } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { startRuntime } from "../support/runtime-server.ts";
import { SocketCounter } from "../support/socket-counter.ts";
import { sideBySide } from "../support/statistics.ts";
import { warmSession } from "../support/warm-session.ts";

const readers = 1000;
const events = 1000;
const stalled = 200;
/** More than the buffers of the system take for a client that does not read. */
const filling = 100_000;

interface Reader {
  readonly last: number;
  readonly outOfOrder: number;
  reached(position: number): Promise<void>;
  close(): void;
}

export const socketFanOut: Figure = {
  name: "socket-fan-out",
  work: "an event a millisecond to 1,000 Socket.IO clients of a runtime",
  measure: async ({ rounds }) => {
    const runtime = await startRuntime();
    let session = 0;
    const rate = async (follow: (id: string) => Promise<Reader>) => {
      session += 1;
      const base = await warmSession(runtime.url, `s${session}`);
      const all = await Promise.all(Array.from({ length: readers }, () => follow(`s${session}`)));
      const { eventCount } = await idleSession(base);
      const start = performance.now();
      await call(`${base}/messages`, "POST", { message: `slow ${events} 1` });
      await Promise.all(all.map((reader) => reader.reached(eventCount + events)));
      const seconds = (performance.now() - start) / 1000;
      for (const reader of all) reader.close();
      const wrong = all.filter(({ outOfOrder }) => outOfOrder > 0).length;
      if (wrong > 0) throw new Error(`${wrong} readers lost events`);
      await idleSession(base);
      await call(base, "DELETE");
      return (readers * events) / seconds;
    };
    try {
      const rates = await sideBySide(
        rounds,
        () => rate((id) => EventCounter.follow(`${runtime.url}/v1/sessions/${id}/events/sse`)),
        () => rate((id) => SocketCounter.follow(runtime.url, id)),
      );
      return [compare("deliveries", "events/s", "its SSE to 1,000 clients", rates, { atLeast: 0.3 })];
    } finally {
      await runtime.remove();
    }
  },
};

export const stalledSockets: Figure = {
  name: "stalled-sockets",
  work: "events for 200 Socket.IO clients that do not read, and one that does",
  measure: async () => {
    const runtime = await startRuntime();
    try {
      const base = await warmSession(runtime.url, "s");
      const reader = await SocketCounter.follow(runtime.url, "s");
      const others = await Promise.all(Array.from({ length: stalled }, () => SocketCounter.follow(runtime.url, "s")));
      for (const other of others) other.stall();
      const memoryAfter = async (count: number) => {
        const { eventCount } = await idleSession(base);
        await call(`${base}/messages`, "POST", { message: `burst ${count} 20` });
        await reader.reached(eventCount + count);
        return runtime.settledMemory();
      };
      const floor = await memoryAfter(filling);
      const ours = await memoryAfter(3 * filling);
      if (reader.outOfOrder > 0) throw new Error(`${reader.outOfOrder} messages were out of order`);
      for (const socket of [reader, ...others]) socket.close();
      const memory = { ours: ours / 1e6, floor: floor / 1e6 };
      return [compare("memory after 400,000 events", "MB", "after 100,000", memory, { atMost: 1.1 })];
    } finally {
      await runtime.remove();
    }
  },
};
