import { compare, type Figure } from "../figure.ts";
import { startDaemonServer } from "../support/child-server.ts";
import { EventCounter } from "../support/event-counter.ts";
import { call, drain } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { median } from "../support/statistics.ts";
import { timeOf } from "../support/time-of.ts";

const total = 1_000_000;
const turns = 20;
const page = 1000;

export const pages: Figure = {
  name: "pages",
  work: "read 1,000 events out of 1,000,000",
  measure: async ({ rounds }) => {
    const daemon = await startDaemonServer();
    const base = `${daemon.url}/v1/sessions/long`;
    try {
      await call(base, "POST", { agent: "mock" });
      for (let turn = 0; turn < turns; turn++) {
        await call(`${base}/messages`, "POST", { message: `burst ${total / turns} 20` });
      }
      await idleSession(base);
      const offsets = { start: page, middle: total / 2 + page, end: total - page };
      const times = { start: [] as number[], middle: [] as number[], end: [] as number[] };
      for (let round = 0; round < rounds * 8; round++) {
        for (const place of ["start", "middle", "end"] as const) {
          times[place].push(await timeOf(() => drain(`${base}/events?offset=${offsets[place]}&limit=${page}`)));
        }
      }
      const floor = median(times.start);
      return (["middle", "end"] as const).map((place) =>
        compare(
          `a page at the ${place}`,
          "ms",
          "a page at the start",
          { ours: median(times[place]), floor },
          {
            atMost: 1.25,
          },
        ),
      );
    } finally {
      await daemon.stop();
    }
  },
};

export const replay: Figure = {
  name: "replay",
  work: "100,000 events to a reader that comes late",
  measure: async ({ rounds }) => {
    const daemon = await startDaemonServer();
    const base = `${daemon.url}/v1/sessions/late`;
    try {
      await call(base, "POST", { agent: "mock" });
      await call(`${base}/messages`, "POST", { message: "burst 100000 20" });
      const { eventCount } = await idleSession(base);
      const rates: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const seconds =
          (await timeOf(async () => {
            const reader = await EventCounter.follow(`${base}/events/sse`);
            await reader.reached(eventCount - 5);
            reader.close();
          })) / 1000;
        rates.push(eventCount / seconds);
      }
      return [compare("replay", "events/s", "the goal", { ours: median(rates), floor: 1_000_000 }, { atLeast: 1 })];
    } finally {
      await daemon.stop();
    }
  },
};
