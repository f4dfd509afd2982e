/** Feared: a session in a sandbox that was not made for it, one sandbox for two sessions, and sandboxes that nobody ends. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killDaemon, startTestRuntime, type TestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";

const long = 180_000;

async function stop({ gateway, runtime }: TestRuntime): Promise<void> {
  await gateway.close();
  await runtime.warm.close();
  await runtime.sessions.close();
}

test(
  "the first message of a session finds its sandbox made, and another is made in its place",
  async () => {
    const { client, provider, runtime, sandboxes, store } = await startTestRuntime({ pool: { size: 1 } });
    await runtime.warm.settled();
    const [waiting] = await sandboxes();
    const made = (await provider.attach(waiting!))!;
    // A turn was tried out in it, of which nothing is left.
    expect(await made.logs(100_000)).toMatch(/"DELETE","url":"\/v1\/sessions\/rehearsal-\w+","status":204/);
    expect([readdirSync(join(made.paths.data, "sessions")), readdirSync(made.paths.workspace)]).toEqual([[], []]);
    const steps: unknown[] = [];
    runtime.events.on("session:status", ({ runtime: { sandbox } }) => sandbox && steps.push(sandbox.statusMessage));
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "echo hello" });
    expect((await turnsOf(client, "s", 1)).at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    expect(steps).toEqual(["Preparing the agent …", "Starting the agent …", undefined]);
    expect(await store.sandboxOf("s")).toMatchObject({ providerId: waiting, generation: 1 });
    await runtime.warm.settled();
    expect((await sandboxes()).filter((id) => id !== waiting)).toHaveLength(1);
  },
  long,
);

test(
  "of sessions that start at once each has its own, and who wishes another kind gets that",
  async () => {
    const { client, runtime, store } = await startTestRuntime({ pool: { size: 2 } });
    await runtime.warm.settled();
    const waiting = (await store.sandboxes()).map(({ providerId }) => providerId);
    expect(waiting).toHaveLength(2);
    await client.createSession("special", { agent: "mock", sandbox: { cpus: 1 } });
    await client.postMessage("special", { message: "echo hello" });
    await turnsOf(client, "special", 1);
    expect(waiting).not.toContain((await store.sandboxOf("special"))!.providerId);
    const ids = ["a", "b", "c"];
    for (const id of ids) await client.createSession(id, { agent: "mock" });
    await Promise.all(ids.map((id) => client.postMessage(id, { message: `echo ${id}` })));
    await Promise.all(ids.map((id) => turnsOf(client, id, 1)));
    const used = await Promise.all(ids.map(async (id) => (await store.sandboxOf(id))!.providerId));
    expect(new Set(used).size).toBe(3);
    expect(used).toEqual(expect.arrayContaining(waiting));
  },
  long,
);

test(
  "those that wait are found again after a restart; of another kind, too many or dead they are ended",
  async () => {
    const first = await startTestRuntime({ pool: { size: 2 } });
    await first.runtime.warm.settled();
    const waiting = await first.sandboxes();
    expect(waiting).toHaveLength(2);
    await stop(first);

    const second = await first.again();
    await second.runtime.warm.settled();
    expect((await second.sandboxes()).toSorted()).toEqual(waiting.toSorted());
    killDaemon(waiting[0]!);
    await second.runtime.warm.tend();
    await second.runtime.warm.settled();
    const mended = await second.sandboxes();
    expect([mended.length, mended.includes(waiting[0]!), mended.includes(waiting[1]!)]).toEqual([2, false, true]);
    await stop(second);

    const third = await first.again({ pool: { size: 1 } });
    await third.runtime.warm.settled();
    const [kept] = await third.sandboxes();
    expect(await third.sandboxes()).toHaveLength(1);
    expect(mended).toContain(kept);
    await stop(third);

    const fourth = await first.again({ pool: { size: 1 }, agentEnv: { ANTHROPIC_API_KEY: "another" } });
    await fourth.runtime.warm.settled();
    expect(await fourth.sandboxes()).toHaveLength(1);
    expect(await fourth.sandboxes()).not.toContain(kept);
    await stop(fourth);

    const { sandboxes, store } = await first.again({ pool: { size: 0 } });
    expect([await sandboxes(), await store.sandboxes()]).toEqual([[], []]);
  },
  long,
);
