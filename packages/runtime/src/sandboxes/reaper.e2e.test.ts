/** Feared: sandboxes that go on for ever because whoever made, used or ended them failed on the way. */
import { expect, test } from "vitest";
import { startTestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";

const long = 180_000;

test(
  "what nobody owns is ended while the runtime runs, and what somebody uses is not",
  async () => {
    const { client, provider, store, sandboxes } = await startTestRuntime({
      limits: { reapIntervalMs: 50, reapGraceMs: 0, startTimeoutMs: 20_000 },
    });
    await client.createSession("used", { agent: "mock" });
    await client.postMessage("used", { message: "echo hello" });
    await turnsOf(client, "used", 1);
    const used = (await store.sandboxOf("used"))!;

    const spec = { labels: { "sandbox-agent-store": store.storeId }, bundle: "/nowhere" };
    const row = async (name: string, changes: object) => {
      const { id } = await provider.create(spec);
      await store.putSandbox({ ...used, sandboxId: name, providerId: id, sessionId: undefined, ...changes });
      return id;
    };
    const young = await row("young", { state: "creating", generation: 0, createdAt: Date.now() });
    const abandoned = [
      (await provider.create(spec)).id,
      await row("half-made", { state: "creating", generation: 0, createdAt: Date.now() - 25_000 }),
      await row("not-ended", { state: "ended", sessionId: "used", generation: 0 }),
      await row("of-nobody", { state: "ready", sessionId: "deleted" }),
    ];
    await expect
      .poll(async () => (await sandboxes()).toSorted(), { timeout: 20_000 })
      .toEqual([used.providerId, young].toSorted());
    for (const id of abandoned) expect(await provider.attach(id)).toBeUndefined();
    await expect
      .poll(async () => (await store.sandboxes()).map(({ sandboxId }) => sandboxId).toSorted())
      .toEqual([used.sandboxId, "not-ended", "young"].toSorted());
    await client.postMessage("used", { message: "echo again" });
    expect((await turnsOf(client, "used", 2)).at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
  },
  long,
);

test(
  "a sandbox that cannot be ended at once is ended later",
  async () => {
    const { client, provider, runtime, store, sandboxes } = await startTestRuntime({
      limits: { reapIntervalMs: 50, reapGraceMs: 0 },
    });
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "echo hello" });
    await turnsOf(client, "s", 1);
    const { providerId } = (await store.sandboxOf("s"))!;
    const attach = provider.attach.bind(provider);
    let failures = 2;
    provider.attach = async (id, signal) => {
      const sandbox = await attach(id, signal);
      const destroy = sandbox?.destroy.bind(sandbox);
      if (sandbox && destroy) {
        sandbox.destroy = async () => {
          failures -= 1;
          if (failures >= 0) throw new Error("the provider does not answer");
          await destroy();
        };
      }
      return sandbox;
    };
    await store.updateSandbox((await store.sandboxOf("s"))!.sandboxId, { state: "ended" });
    await runtime.sessions.close();
    await expect.poll(sandboxes, { timeout: 20_000 }).toEqual([]);
    expect(failures).toBe(-1);
    provider.attach = attach;
    expect(await provider.attach(providerId)).toBeUndefined();
  },
  long,
);
