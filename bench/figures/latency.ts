import { request } from "node:http";
import { compare, type Figure } from "../figure.ts";
import { startBenchServer, startDaemonServer } from "../support/child-server.ts";
import { call } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { median } from "../support/statistics.ts";

const lines = 300;
const everyMs = 3;

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
        floors.push(median(await delays(`${floor.url}/events`, `${floor.url}/messages`)));
        const { eventCount } = await idleSession(base);
        ours.push(median(await delays(`${base}/events/sse?offset=${eventCount}`, `${base}/messages`)));
      }
      const measured = { ours: median(ours), floor: median(floors) };
      return [compare("p50", "ms", "parse and re-serialise in memory", measured)];
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
