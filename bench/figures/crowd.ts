import { compare, type Figure } from "../figure.ts";
import { type ChildServer, startBenchServer, startDaemonServer } from "../support/child-server.ts";
import { call } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { lineDelays } from "../support/line-delays.ts";
import { median, quantile } from "../support/statistics.ts";

const sessions = 50;
const clock = { lines: 120, everyMs: 20 };
/** While the last ones are still being sent their message, the others do not count. */
const startingLines = 20;
const floorSays = "parse and re-serialise in memory";

/** One session with its reader. */
interface Stream {
  readonly events: () => Promise<string>;
  readonly messages: string;
}

interface Load {
  readonly p50: number;
  readonly p99: number;
  readonly cpuPerEvent: number;
}

export const crowd: Figure = {
  name: "crowd",
  work: `${sessions} sessions streaming at once`,
  measure: async ({ rounds }) => {
    const [floor, daemon] = [await startBenchServer("pipeline-floor"), await startDaemonServer()];
    try {
      const floorStreams = await warmed(floorStreamsOf(floor));
      const ourStreams = await warmed(await openSessions(daemon));
      const loads: { floor: Load; ours: Load }[] = [];
      for (let round = 0; round < rounds; round++) {
        loads.push({ floor: await loadOf(floor, floorStreams), ours: await loadOf(daemon, ourStreams) });
      }
      const row = (what: string, unit: string, field: keyof Load) => {
        const side = (name: "floor" | "ours") => median(loads.map((load) => load[name][field]));
        return compare(what, unit, floorSays, { ours: side("ours"), floor: side("floor") });
      };
      return [
        row("line → client, p50", "ms", "p50"),
        row("line → client, p99", "ms", "p99"),
        row("CPU of an event", "ms", "cpuPerEvent"),
      ];
    } finally {
      await Promise.all([floor.stop(), daemon.stop()]);
    }
  },
};

async function loadOf(server: ChildServer, streams: readonly Stream[]): Promise<Load> {
  const cpuBefore = server.cpuMs();
  const delays = await Promise.all(
    streams.map(async ({ events, messages }) => lineDelays(await events(), messages, clock)),
  );
  const all = delays.flatMap((each) => each.slice(startingLines));
  return {
    p50: median(all),
    p99: quantile(all, 0.99),
    cpuPerEvent: (server.cpuMs() - cpuBefore) / (streams.length * clock.lines),
  };
}

function floorStreamsOf({ url }: ChildServer): Stream[] {
  return Array.from({ length: sessions }, (_, n) => ({
    events: async () => `${url}/s${n}/events`,
    messages: `${url}/s${n}/messages`,
  }));
}

async function openSessions({ url }: ChildServer): Promise<Stream[]> {
  const streams: Stream[] = [];
  for (let n = 0; n < sessions; n++) {
    const base = `${url}/v1/sessions/s${n}`;
    await call(base, "POST", { agent: "fake" });
    streams.push({
      events: async () => `${base}/events/sse?offset=${(await idleSession(base)).eventCount}`,
      messages: `${base}/messages`,
    });
  }
  return streams;
}

/** The programs are started, and have said something. */
async function warmed(streams: readonly Stream[]): Promise<readonly Stream[]> {
  for (const { events, messages } of streams) await lineDelays(await events(), messages, { lines: 3, everyMs: 1 });
  return streams;
}
