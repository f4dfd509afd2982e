import { expect, test, vi } from "vitest";
import { SandboxPool, type SandboxPoolOptions } from "./sandbox-pool.ts";
import { SandboxProviderError } from "./sandbox-provider.ts";

/** A store of nothing but names, in which claims are atomic. */
function makeWorld(options: Partial<SandboxPoolOptions> = {}) {
  const ready: string[] = [];
  const world = {
    ready,
    made: 0,
    atOnce: 0,
    mostAtOnce: 0,
    take: async () => ready.shift(),
    pool: new SandboxPool({
      ready: async (template) => ready.filter((name) => name.startsWith(template)).length,
      make: async (template) => {
        world.mostAtOnce = Math.max(world.mostAtOnce, ++world.atOnce);
        await new Promise(setImmediate);
        world.atOnce -= 1;
        ready.push(`${template}${++world.made}`);
      },
      pause: () => Promise.reject(new Error("Nothing failed, so nothing waits.")),
      restMs: 0,
      ...options,
    }),
  };
  return world;
}

test("as many as wanted are made, a few at a time", async () => {
  const world = makeWorld({ maxAtOnce: 3 });
  world.pool.keep("t", 7);
  await world.pool.settled("t");
  expect([world.ready.length, world.mostAtOnce]).toEqual([7, 3]);
});

test("what is claimed is made up for, and goes to one only", async () => {
  const world = makeWorld();
  world.pool.keep("t", 3);
  await world.pool.settled("t");
  const claims = await Promise.all(Array.from({ length: 5 }, () => world.pool.claim("t", world.take)));
  expect(claims.filter(Boolean).sort()).toEqual(["t1", "t2", "t3"]);
  await world.pool.settled("t");
  expect(world.ready).toHaveLength(3);
  expect(world.made).toBe(6);
});

test("a template that is not kept is neither claimed nor made", async () => {
  const world = makeWorld();
  world.ready.push("t0");
  expect(await world.pool.claim("t", world.take)).toBe(undefined);
  world.pool.keep("t", 1);
  await world.pool.settled("t");
  expect(world.made).toBe(0);
  world.pool.keep("t", 0);
  expect(await world.pool.claim("t", world.take)).toBe(undefined);
});

test("a claim while it refills is made up for as well", async () => {
  let claimed: Promise<string | undefined> | undefined;
  const world = makeWorld({
    make: async () => {
      world.ready.push(`t${++world.made}`);
      claimed ??= world.pool.claim("t", world.take);
    },
  });
  world.pool.keep("t", 1);
  await world.pool.settled("t");
  expect([await claimed, world.ready]).toEqual(["t1", ["t2"]]);
});

test("a claim has the machine to itself for a while before another is made", async () => {
  const pauses: number[] = [];
  let go: (() => void) | undefined;
  const world = makeWorld({
    restMs: 70,
    pause: (ms) => {
      pauses.push(ms);
      return new Promise<void>((resolve) => (go = resolve));
    },
  });
  world.pool.keep("t", 1);
  await world.pool.settled("t");
  expect(await world.pool.claim("t", world.take)).toBe("t1");
  await new Promise(setImmediate);
  expect([pauses, world.made]).toEqual([[70], 1]);
  go?.();
  await world.pool.settled("t");
  expect(world.ready).toEqual(["t2"]);
});

test("failures are told and waited after, twice as long each time, until it works again", async () => {
  const pauses: number[] = [];
  const problems: unknown[] = [];
  let failures = 5;
  const world = makeWorld({
    firstPauseMs: 10,
    longestPauseMs: 60,
    pause: async (ms) => pauses.push(ms),
    onProblem: (template, error) => problems.push([template, (error as Error).message]),
    make: async () => {
      if (failures-- > 0) throw new Error("no room");
      world.ready.push("t");
    },
  });
  world.pool.keep("t", 1);
  await world.pool.settled("t");
  expect(pauses).toEqual([10, 20, 40, 60, 60]);
  expect(problems).toEqual(Array.from({ length: 5 }, () => ["t", "no room"]));
  expect(world.ready).toEqual(["t"]);
});

test("a service that says how long it wants to be left alone is", async () => {
  const pauses: number[] = [];
  let failures = 2;
  const world = makeWorld({
    firstPauseMs: 10,
    pause: async (ms) => pauses.push(ms),
    make: async () => {
      const retryAfterMs = 300 - 295 * --failures;
      if (failures >= 0) throw new SandboxProviderError("rate_limited", "Too many.", { retryAfterMs });
      world.ready.push("t");
    },
  });
  world.pool.keep("t", 1);
  await world.pool.settled("t");
  expect(pauses).toEqual([10, 300]);
});

test("a store that cannot be asked is a failure too", async () => {
  const ready = vi.fn(async () => 1).mockRejectedValueOnce(new Error("locked"));
  const world = makeWorld({ ready, pause: async () => {} });
  world.pool.keep("t", 1);
  await world.pool.settled("t");
  expect(ready).toHaveBeenCalledTimes(2);
  expect(world.made).toBe(0);
});

test("close ends what is under way and starts nothing more, also out of a pause", async () => {
  const signals: AbortSignal[] = [];
  const world = makeWorld({
    maxAtOnce: 1,
    make: (_, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
  });
  world.pool.keep("t", 5);
  await vi.waitUntil(() => signals.length === 1);
  await world.pool.close();
  world.pool.keep("u", 1);
  await world.pool.settled("u");
  expect([signals.length, signals[0]?.aborted]).toEqual([1, true]);

  const failing = makeWorld({ make: () => Promise.reject(new Error("no")), firstPauseMs: 3_600_000, pause: undefined });
  failing.pool.keep("t", 1);
  await new Promise(setImmediate);
  await failing.pool.close();
});
