import { compare, type Figure } from "../figure.ts";
import { startBenchServer, startCli } from "../support/child-server.ts";
import { EventCounter } from "../support/event-counter.ts";
import { call } from "../support/http-client.ts";
import { median } from "../support/statistics.ts";

const readers = 1000;
const events = 1000;

export const fanOut: Figure = {
  name: "fan-out",
  work: "an event a millisecond to 1,000 SSE clients",
  measure: async ({ rounds }) => {
    const [floor, daemon] = [await startBenchServer("fan-out-floor"), await startCli()];
    const rates = { floor: [] as number[], ours: [] as number[] };
    const resident = { floor: 0, ours: 0 };
    try {
      for (let round = 0; round < Math.min(rounds, 3); round++) {
        rates.floor.push(await deliveries(`${floor.url}/events`, () => call(floor.url, "POST"), events));
        resident.floor = Math.max(resident.floor, floor.memory());
        const base = `${daemon.url}/v1/sessions/s${round}`;
        await call(base, "POST", { agent: "mock" });
        const send = () => call(`${base}/messages`, "POST", { message: `slow ${events} 1` });
        rates.ours.push(await deliveries(`${base}/events/sse`, send, events));
        resident.ours = Math.max(resident.ours, daemon.memory());
      }
      return [
        compare("deliveries", "events/s", "shared bytes to every socket", {
          ours: median(rates.ours),
          floor: median(rates.floor),
        }),
        compare(
          "memory with 1,000 readers",
          "MB",
          "shared bytes to every socket",
          { ours: resident.ours / 1e6, floor: resident.floor / 1e6 },
          { atMost: 1.3 },
        ),
      ];
    } finally {
      await Promise.all([floor.stop(), daemon.stop()]);
    }
  },
};

/** Deliveries per second until everybody has everything. */
async function deliveries(url: string, send: () => Promise<unknown>, last: number): Promise<number> {
  const counters = await Promise.all(Array.from({ length: readers }, () => EventCounter.follow(url)));
  const start = performance.now();
  await send();
  await Promise.all(counters.map((counter) => counter.reached(last)));
  const seconds = (performance.now() - start) / 1000;
  for (const counter of counters) counter.close();
  const wrong = counters.filter((counter) => counter.outOfOrder > 0).length;
  if (wrong > 0) throw new Error(`${wrong} readers lost events`);
  return (readers * last) / seconds;
}
