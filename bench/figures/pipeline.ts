import { compare, type Figure, type Result } from "../figure.ts";
import {
  type ChildServer,
  startBenchServer,
  startCli,
  startDaemonServer,
  temporaryDirectory,
} from "../support/child-server.ts";
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

const dialects = { claude: "Claude Code", codex: "Codex", acp: "ACP" };

export const pipelineDialects: Figure = {
  name: "dialects",
  work: "agent stdout in the dialect of a real agent → log on disk → one SSE client",
  measure: async ({ rounds }) => {
    const program = process.env.SANDBOX_AGENT_BENCH_DIALECTS!;
    const floor = await startBenchServer("pipeline-floor", program);
    const daemon = await startCli({
      SANDBOX_AGENT_CLAUDE_BIN: program,
      SANDBOX_AGENT_CODEX_BIN: program,
      SANDBOX_AGENT_ACP_AGENTS: JSON.stringify([{ id: "acp", command: program, args: ["acp"] }]),
      ANTHROPIC_API_KEY: "scripted",
      OPENAI_API_KEY: "scripted",
    });
    const results: Result[] = [];
    for (const [agent, name] of Object.entries(dialects)) {
      const [ofFloor, ofDaemon] = lanes(floor, daemon, { agent, floorPath: `/${agent}` }, 100_000, 20);
      const rates = await sideBySide(rounds, ofFloor, ofDaemon);
      results.push(compare(`100,000 deltas in the dialect of ${name}`, "events/s", floorSays, rates, { atLeast: 0.8 }));
    }
    await Promise.all([floor.stop(), daemon.stop()]);
    return results;
  },
};

let servers: ChildServer[] = [];

async function both(count: number, size: number): Promise<[() => Promise<number>, () => Promise<number>]> {
  const [floor, daemon] = [await startBenchServer("pipeline-floor"), await startDaemonServer()];
  servers = [floor, daemon];
  return lanes(floor, daemon, { agent: "fake", floorPath: "" }, count, size);
}

/** The same flood of deltas through the floor and through a session of the daemon. */
function lanes(
  floor: ChildServer,
  daemon: ChildServer,
  { agent, floorPath }: { readonly agent: string; readonly floorPath: string },
  count: number,
  size: number,
): [() => Promise<number>, () => Promise<number>] {
  const message = `flood ${count} ${size}`;
  const directory = temporaryDirectory();
  let session = 0;
  return [
    () => rate(`${floor.url}${floorPath}/events`, `${floor.url}${floorPath}/messages`, message, count),
    async () => {
      session += 1;
      const base = `${daemon.url}/v1/sessions/${agent}-${session}`;
      await call(base, "POST", { agent, directory });
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
