import { compare, type Figure, type Result, type Settings } from "../figure.ts";
import { type ChildServer, startBenchServer, startDaemonServer, startServer } from "../support/child-server.ts";
import { call } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { median } from "../support/statistics.ts";
import { timeOf } from "../support/time-of.ts";

const idleSessions = 2000;
const creates = 200;
const turns = 200;

export const sessionMemory: Figure = {
  name: "session-memory",
  work: "2,000 sessions, a turn each, then idle",
  measure: async () => {
    const daemon = await startDaemonServer();
    try {
      await turnOn(daemon, "first");
      const before = await daemon.settledMemory();
      for (let n = 0; n < idleSessions; n += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, k) => turnOn(daemon, `s${n + k}`)));
      }
      const each = ((await daemon.settledMemory()) - before) / idleSessions / 1000;
      return [compare("per idle session", "kB", "the goal", { ours: each, floor: 30 }, { atMost: 1 })];
    } finally {
      await daemon.stop();
    }
  },
};

/** Against a bare server's round trip, which is what HTTP itself costs; against a peer where there is one. */
export const sessionSpeed: Figure = {
  name: "session-speed",
  work: "create sessions one by one; 200 sessions, a turn each",
  measure: async (settings) => {
    const daemon = await startDaemonServer();
    const floor = settings.peer ? await startServer(settings.peer) : await startBenchServer("http-floor");
    try {
      return settings.peer ? await againstPeer(daemon, floor, settings) : await againstHttp(daemon, floor, settings);
    } finally {
      await Promise.all([daemon.stop(), floor.stop()]);
    }
  },
};

async function againstHttp(daemon: ChildServer, floor: ChildServer, { rounds }: Settings): Promise<Result[]> {
  const measured = { ours: [] as number[], floor: [] as number[] };
  for (let n = 0; n < creates * Math.min(rounds, 2); n++) {
    measured.ours.push(await timeOf(() => create(daemon, `c${n}`)));
    measured.floor.push(await timeOf(() => call(`${floor.url}/`, "POST", { agent: "mock" })));
  }
  const { ours, floor: bare } = { ours: median(measured.ours), floor: median(measured.floor) };
  return [compare("create, durable", "ms", "bare POST round trip", { ours, floor: bare })];
}

async function againstPeer(daemon: ChildServer, peer: ChildServer, { rounds }: Settings): Promise<Result[]> {
  const create_ = { ours: [] as number[], floor: [] as number[] };
  const all = { ours: [] as number[], floor: [] as number[] };
  for (let n = 0; n < creates; n++) {
    create_.ours.push(await timeOf(() => create(daemon, `c${n}`)));
    create_.floor.push(await timeOf(() => create(peer, `c${n}`)));
  }
  for (let round = 0; round < rounds; round++) {
    const run = (server: ChildServer) =>
      timeOf(() => Promise.all(Array.from({ length: turns }, (_, n) => turnOn(server, `t${round}-${n}`))));
    all.ours.push(await run(daemon));
    all.floor.push(await run(peer));
  }
  const middle = (times: typeof all) => ({ ours: median(times.ours), floor: median(times.floor) });
  return [
    compare("create", "ms", "the peer", middle(create_), { atMost: 0.15 }),
    compare("200 sessions, a turn each", "ms", "the peer", middle(all), { atMost: 0.35 }),
  ];
}

function create(server: ChildServer, id: string): Promise<unknown> {
  return call(`${server.url}/v1/sessions/${id}`, "POST", { agent: "mock" });
}

async function turnOn(server: ChildServer, id: string): Promise<void> {
  await create(server, id);
  const base = `${server.url}/v1/sessions/${id}`;
  await call(`${base}/messages`, "POST", { message: "hello" });
  await idleSession(base);
}
