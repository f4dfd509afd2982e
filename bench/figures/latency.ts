import { compare, type Figure } from "../figure.ts";
import { startBenchServer, startDaemonServer } from "../support/child-server.ts";
import { call } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { lineDelays } from "../support/line-delays.ts";
import { median } from "../support/statistics.ts";

const clock = { lines: 300, everyMs: 3 };

export const latency: Figure = {
  name: "latency",
  work: "agent writes a line → SSE client has the event",
  measure: async ({ rounds }) => {
    const [floor, daemon] = [await startBenchServer("pipeline-floor"), await startDaemonServer()];
    const floors: number[] = [];
    const ours: number[] = [];
    try {
      const base = await openSession(daemon.url);
      for (let round = 0; round < rounds; round++) {
        floors.push(median(await lineDelays(`${floor.url}/events`, `${floor.url}/messages`, clock)));
        const { eventCount } = await idleSession(base);
        ours.push(median(await lineDelays(`${base}/events/sse?offset=${eventCount}`, `${base}/messages`, clock)));
      }
      const measured = { ours: median(ours), floor: median(floors) };
      return [compare("p50", "ms", "parse and re-serialise in memory", measured, { atMost: 1.5 })];
    } finally {
      await Promise.all([floor.stop(), daemon.stop()]);
    }
  },
};

async function openSession(url: string): Promise<string> {
  const base = `${url}/v1/sessions/s`;
  await call(base, "POST", { agent: "fake" });
  await call(`${base}/messages`, "POST", { message: "warm" });
  await idleSession(base);
  return base;
}
