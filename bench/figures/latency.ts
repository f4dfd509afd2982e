import { request } from "node:http";
import { compare, type Figure } from "../figure.ts";
import { startBenchServer, startDaemonServer } from "../support/child-server.ts";
import { call } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { median, percentile } from "../support/statistics.ts";

const lines = 300;
const everyMs = 3;
const alone = 1;
const crowd = 50;

export const latency: Figure = {
  name: "latency",
  work: "agent writes a line → SSE client has the event",
  measure: async ({ rounds }) => {
    const [floor, daemon] = [await startBenchServer("pipeline-floor"), await startDaemonServer()];
    const floors: number[][] = [];
    const ours: number[][] = [];
    try {
      const sessions = await openSessions(daemon.url, crowd);
      for (let round = 0; round < rounds; round++) {
        floors.push(await delays(`${floor.url}/events`, `${floor.url}/messages`));
        ours.push(await sessionDelays(sessions.slice(0, alone)));
      }
      const floorMiddle = median(floors.map(median));
      const together = await sessionDelays(sessions);
      const against = "parse and re-serialise in memory, one session";
      return [
        compare(
          "p50, one session",
          "ms",
          against,
          { ours: median(ours.map(median)), floor: floorMiddle },
          { atMost: 1.2 },
        ),
        compare(
          "p50, 50 sessions at once",
          "ms",
          against,
          { ours: median(together), floor: floorMiddle },
          { atMost: 20 },
        ),
        compare(
          "p99, 50 sessions at once",
          "ms",
          "p50 of the same",
          { ours: percentile(together, 0.99), floor: median(together) },
          { atMost: 10 },
        ),
      ];
    } finally {
      await Promise.all([floor.stop(), daemon.stop()]);
    }
  },
};

async function openSessions(url: string, count: number): Promise<string[]> {
  const bases = Array.from({ length: count }, (_, n) => `${url}/v1/sessions/s${n}`);
  for (const base of bases) {
    await call(base, "POST", { agent: "fake" });
    await call(`${base}/messages`, "POST", { message: "warm" });
    await idleSession(base);
  }
  return bases;
}

async function sessionDelays(bases: readonly string[]): Promise<number[]> {
  const all = bases.map(async (base) => {
    const { eventCount } = await idleSession(base);
    return delays(`${base}/events/sse?offset=${eventCount}`, `${base}/messages`);
  });
  return (await Promise.all(all)).flat();
}

/** How long each line was under way, in milliseconds. */
async function delays(events: string, messages: string): Promise<number[]> {
  const measured: number[] = [];
  const { promise, resolve } = defer();
  const stop = await follow(events, (text) => {
    const now = process.hrtime.bigint();
    for (const [, stamp] of text.matchAll(/"delta":"@(\d+)"/g)) measured.push(Number(now - BigInt(stamp!)) / 1e6);
    if (measured.length >= lines) resolve();
  });
  await call(messages, "POST", { message: `clock ${lines} ${everyMs}` });
  await promise;
  stop();
  return measured;
}

function follow(url: string, onText: (text: string) => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false }, (response) => {
      response.setEncoding("latin1").on("data", onText);
      response.on("error", () => {});
      resolve(() => sent.destroy());
    });
    sent.on("error", reject);
    sent.end();
  });
}

function defer(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
