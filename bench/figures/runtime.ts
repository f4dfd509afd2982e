import { setTimeout as sleep } from "node:timers/promises";
import { compare, type Figure, type Result, type Settings } from "../figure.ts";
import { type ChildServer, startCli } from "../support/child-server.ts";
import { eventAges } from "../support/event-ages.ts";
import { EventCounter } from "../support/event-counter.ts";
import { call, drain } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { type RuntimeServer, startRuntime } from "../support/runtime-server.ts";
import { median, sideBySide } from "../support/statistics.ts";
import { timeOf } from "../support/time-of.ts";
import { warmSession } from "../support/warm-session.ts";

const storedSessions = 10_000;
const loadedSessions = 500;
const atOnce = 50;
const longSession = 1_000_000;
const turnsOfLong = 20;
const page = 1000;

/** What is asked of a runtime in absolute numbers stands beside its goal. */
const goal = (what: string, unit: string, ours: number, floor: number): Result =>
  compare(what, unit, "the goal", { ours, floor }, { atMost: 1 });

export const runtimeSessions: Figure = {
  name: "runtime-sessions",
  work: "10,000 sessions in the store of a runtime, without sandboxes",
  measure: async ({ rounds }) => {
    const first = await startRuntime();
    const made = await timeOf(() => createAll(first, storedSessions));
    const rate = storedSessions / (made / 1000);
    let runtime: RuntimeServer | undefined;
    try {
      await first.stop();
      const start = await timeOf(async () => {
        runtime = await first.again();
        await call(`${runtime.url}/v1/health`);
      });
      const server = runtime!;
      const pages: number[] = [];
      let cursor = "";
      for (let n = 0; n < rounds * 10; n++) {
        pages.push(
          await timeOf(async () => {
            const list = await call<{ nextCursor?: string }>(`${server.url}/v1/sessions?limit=100${cursor}`);
            cursor = list.nextCursor ? `&cursor=${encodeURIComponent(list.nextCursor)}` : "";
          }),
        );
      }
      // A change of the title loads a session and leaves nothing running. What is needed once, however many there are, comes with the first ones.
      const load = async (from: number) => {
        for (let n = from; n < from + loadedSessions; n++) {
          await call(`${server.url}/v1/sessions/s${n}`, "PATCH", { title: "loaded" });
        }
      };
      await load(0);
      const before = await server.settledMemory();
      await load(loadedSessions);
      const each = ((await server.settledMemory()) - before) / loadedSessions / 1000;
      return [
        compare("sessions created", "sessions/s", "the goal", { ours: rate, floor: 1000 }, { atLeast: 1 }),
        goal("start", "ms", start, 1000),
        goal("a page of the list", "ms", median(pages), 10),
        goal("per loaded idle session", "kB", each, 40),
      ];
    } finally {
      await (runtime ?? first).remove();
    }
  },
};

export const runtimeEvents: Figure = {
  name: "runtime-events",
  work: "agent in a sandbox → its daemon → store of the runtime → one SSE client",
  measure: async (settings) => {
    const daemon = await startCli();
    const runtime = await startRuntime();
    try {
      return [await throughput(daemon, runtime, settings), await addedDelay(daemon, runtime, settings)];
    } finally {
      await daemon.stop();
      await runtime.remove();
    }
  },
};

export const runtimeLongSession: Figure = {
  name: "runtime-long-session",
  work: "a session of 1,000,000 events in the store of a runtime",
  measure: async ({ rounds }) => {
    const first = await startRuntime();
    let runtime: RuntimeServer | undefined;
    try {
      for (const id of ["long", "short"]) {
        await call(`${first.url}/v1/sessions/${id}`, "POST", { agent: "mock" });
        const turns = id === "long" ? turnsOfLong : 1;
        const count = id === "long" ? longSession / turnsOfLong : page;
        for (let turn = 0; turn < turns; turn++) {
          await call(`${first.url}/v1/sessions/${id}/messages`, "POST", { message: `burst ${count} 20` });
        }
        await idleSession(`${first.url}/v1/sessions/${id}`);
      }
      await first.stop();
      runtime = await first.again();
      const open = async (id: string) => {
        await call(`${runtime!.url}/v1/sessions/${id}`, "PATCH", { title: "opened" });
        return runtime!.settledMemory();
      };
      const memory = { floor: await open("short"), ours: await open("long") };
      const base = `${runtime.url}/v1/sessions/long`;
      const read = (offset: number) => timeOf(() => drain(`${base}/events?offset=${offset}&limit=${page}`));
      const times = { start: [] as number[], middle: [] as number[], end: [] as number[] };
      for (let round = 0; round < rounds * 8; round++) {
        times.start.push(await read(page));
        times.middle.push(await read(longSession / 2));
        times.end.push(await read(longSession - page));
      }
      const floor = median(times.start);
      const against = "a page at the start";
      return [
        compare("memory when it is open", "MB", "a short one", asMegabytes(memory), { atMost: 1.1 }),
        compare("a page in the middle", "ms", against, { ours: median(times.middle), floor }, { atMost: 1.3 }),
        compare("a page at the end", "ms", against, { ours: median(times.end), floor }, { atMost: 1.3 }),
      ];
    } finally {
      await (runtime ?? first).remove();
    }
  },
};

export const warmSandboxes: Figure = {
  name: "warm-sandboxes",
  work: "the first message of a session, on a sandbox that waited for it",
  measure: async ({ rounds }) => {
    const runtime = await startRuntime({ poolSize: 2 });
    try {
      const added: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await sleep(3_000);
        const base = `${runtime.url}/v1/sessions/w${round}`;
        await call(base, "POST", { agent: "mock" });
        const first = await timeToBegin(base);
        added.push(first - (await timeToBegin(base)));
        await call(base, "DELETE");
      }
      return [goal("added to that of a later message", "ms", median(added), 50)];
    } finally {
      await runtime.remove();
    }
  },
};

async function createAll({ url }: ChildServer, count: number): Promise<void> {
  let next = 0;
  const create = async () => {
    while (next < count) await call(`${url}/v1/sessions/s${next++}`, "POST", { agent: "mock" });
  };
  await Promise.all(Array.from({ length: atOnce }, create));
}

async function throughput(daemon: ChildServer, runtime: ChildServer, { rounds }: Settings): Promise<Result> {
  const count = 100_000;
  // The same session in each round: behind a runtime another one has another daemon, which has yet to be compiled.
  const bases = { floor: await warmSession(daemon.url, "t"), ours: await warmSession(runtime.url, "t") };
  const rate = async (base: string) => {
    const { eventCount } = await idleSession(base);
    const reader = await EventCounter.follow(`${base}/events/sse`);
    await reader.reached(eventCount);
    const seconds =
      (await timeOf(async () => {
        await call(`${base}/messages`, "POST", { message: `burst ${count} 20` });
        await reader.reached(eventCount + count);
      })) / 1000;
    reader.close();
    if (reader.outOfOrder > 0) throw new Error(`${reader.outOfOrder} events were lost or out of order`);
    return count / seconds;
  };
  for (const base of Object.values(bases)) await rate(base);
  const rates = await sideBySide(
    rounds,
    () => rate(bases.floor),
    () => rate(bases.ours),
  );
  return compare("100,000 deltas of 20 bytes", "events/s", "the daemon alone", rates, { atLeast: 0.5 });
}

async function addedDelay(daemon: ChildServer, runtime: ChildServer, { rounds }: Settings): Promise<Result> {
  const bases = { floor: await warmSession(daemon.url, "d"), ours: await warmSession(runtime.url, "d") };
  const delay = async (base: string) => {
    const { eventCount } = await idleSession(base);
    const ages = eventAges(`${base}/events/sse?offset=${eventCount}`, 300);
    await call(`${base}/messages`, "POST", { message: "slow 300 3" });
    return median(await ages);
  };
  const delays = await sideBySide(
    rounds,
    () => delay(bases.floor),
    () => delay(bases.ours),
  );
  return goal("p50 added to the daemon's", "ms", delays.ours - delays.floor, 3);
}

/** From sending a message to hearing that its turn began. */
async function timeToBegin(base: string): Promise<number> {
  const { eventCount } = await idleSession(base);
  const reader = await EventCounter.follow(`${base}/events/sse`);
  await reader.reached(eventCount);
  const time = await timeOf(async () => {
    await call(`${base}/messages`, "POST", { message: "hello" });
    await reader.reached(eventCount + 1);
  });
  reader.close();
  await idleSession(base);
  return time;
}

function asMegabytes({ ours, floor }: { ours: number; floor: number }): { ours: number; floor: number } {
  return { ours: ours / 1e6, floor: floor / 1e6 };
}
