import { expect, test } from "vitest";
import type { Sandbox, SandboxProvider } from "../sandbox-provider.ts";
import { accepts, health, labelOfSuite, type SandboxBench, until } from "./sandbox-bench.ts";

async function idsOf(provider: SandboxProvider, label = labelOfSuite): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of provider.list(label)) ids.push(id);
  return ids;
}

const codeOf = (code: string) => expect.objectContaining({ name: "SandboxProviderError", code });

/** From create to destroy. */
export function describeLife(bench: SandboxBench): void {
  test("a new sandbox has no daemon yet, and says so", async () => {
    const sandbox = await bench.create();
    expect((await sandbox.status()).state).toBe("starting");
    await expect(sandbox.endpoint()).rejects.toEqual(codeOf("stopped"));
    expect(await sandbox.logs(1_000)).toBe("");
    expect(Object.values(sandbox.paths).every((path) => path.startsWith("/"))).toBe(true);
    await sandbox.destroy();
  });

  test("what is found by a label is what was made with it", async () => {
    const [value, other] = ["a b=ü", "c"];
    const sandboxes = await Promise.all([value, other].map((of) => bench.create({ labels: { of } })));
    const [first, second] = sandboxes as [Sandbox, Sandbox];
    const { provider } = bench.current;
    expect(await idsOf(provider, { key: "of", value })).toEqual([first.id]);
    expect(await idsOf(bench.current.another(), { key: "of", value: other })).toEqual([second.id]);
    expect(await idsOf(provider, { key: "of", value: "d" })).toEqual([]);
    expect((await idsOf(provider)).sort()).toEqual([first.id, second.id].sort());
    for await (const { labels, createdAt } of provider.list({ key: "of", value })) {
      expect(labels).toMatchObject({ of: value });
      expect(Math.abs(Date.now() - createdAt)).toBeLessThan(10 * 60_000);
    }
    await Promise.all(sandboxes.map((sandbox) => sandbox.destroy()));
    expect(await idsOf(provider)).toEqual([]);
  });

  test("a create that is aborted leaves nothing", async () => {
    const { provider } = bench.current;
    const labels = { [labelOfSuite.key]: labelOfSuite.value };
    const create = (signal: AbortSignal) => provider.create({ labels, bundle: "/nowhere" }, signal);
    await expect(create(AbortSignal.abort())).rejects.toThrow();
    const controller = new AbortController();
    const creating = create(controller.signal);
    controller.abort();
    await expect(creating).rejects.toThrow();
    expect(await idsOf(provider)).toEqual([]);
  });

  test("what is not there is not found, however it is named", async () => {
    for (const id of ["", ".", "..", "../..", "/", "sb-0", "a/b", "x".repeat(5_000), "\0"]) {
      expect(await bench.current.provider.attach(id), JSON.stringify(id)).toBe(undefined);
    }
  });

  test("another instance finds it, with the daemon that runs in it", async () => {
    const { sandbox, token } = await bench.running();
    const found = await bench.current.another().attach(sandbox.id);
    expect(found?.id).toBe(sandbox.id);
    expect(found?.paths).toEqual(sandbox.paths);
    expect((await found?.status())?.state).toBe("running");
    expect(await accepts(found!, token)).toBe(true);
    await found?.destroy();
    expect((await sandbox.status()).state).toBe("gone");
  });

  test("another process finds it", async () => {
    const { sandbox } = await bench.running();
    const found = await bench.current.attachElsewhere(sandbox.id);
    expect(found).toMatchObject({ state: "running", health: { status: "ok" } });
    await sandbox.destroy();
  });

  test("destroy leaves nothing, and may be called again", async () => {
    const { sandbox } = await bench.running();
    const { provider } = bench.current;
    const found = await provider.attach(sandbox.id);
    await Promise.all([sandbox.destroy(), sandbox.destroy(), found?.destroy()]);
    expect(await bench.current.leftovers(sandbox.id)).toEqual([]);
    expect(await provider.attach(sandbox.id)).toBe(undefined);
    await sandbox.destroy();
    expect((await sandbox.status()).state).toBe("gone");
    await expect(sandbox.endpoint()).rejects.toEqual(codeOf("not_found"));
    await expect(sandbox.start(["-v"], {})).rejects.toEqual(codeOf("not_found"));
    await expect(sandbox.write([])).rejects.toEqual(codeOf("not_found"));
  });

  test("a suspended sandbox stands still, is found, and goes on where it was", async () => {
    const { sandbox, token } = await bench.running();
    const { can } = bench.current.provider;
    expect(can.suspend !== false).toBe(sandbox.suspend !== undefined && sandbox.resume !== undefined);
    if (can.suspend !== false) {
      await sandbox.suspend!();
      await sandbox.suspend!();
      const found = await bench.current.another().attach(sandbox.id);
      expect((await found!.status()).state).toBe("suspended");
      if (can.suspend === "memory") {
        expect(await health(sandbox, 300)).toBe(undefined);
        expect((await found!.status()).state).toBe("suspended");
      }
      await found!.resume!();
      await found!.resume!();
      if (can.suspend === "disk") await bench.startDaemon(sandbox, token);
      expect((await sandbox.status()).state).toBe("running");
      expect(await accepts(sandbox, token)).toBe(true);
      await sandbox.suspend!();
    }
    await sandbox.destroy();
    expect(await bench.current.leftovers(sandbox.id)).toEqual([]);
  });

  test("a life is made longer where that is declared, and only there", async () => {
    const sandbox = await bench.create({ lifeMs: 60_000 });
    const before = (await sandbox.status()).expiresAt;
    if (bench.current.provider.can.extend) expect(before).toBeDefined();
    await sandbox.extend(600_000);
    const after = (await sandbox.status()).expiresAt;
    expect((after ?? 0) > (before ?? 0)).toBe(bench.current.provider.can.extend);
    await sandbox.destroy();
  });

  test("a daemon that was killed is told with a reason, and can be started again", async () => {
    const { sandbox } = await bench.running();
    await bench.current.killDaemon(sandbox);
    await until(async () => (await sandbox.status()).state !== "running");
    const { state, why } = await sandbox.status();
    expect([state, why]).toEqual(["failed", expect.stringContaining("SIGKILL")]);
    const { token } = await bench.startDaemon(sandbox);
    expect(await accepts(sandbox, token)).toBe(true);
    await sandbox.destroy();
  });

  test("a daemon that ends by itself is told with its exit code, and what it said", async () => {
    const sandbox = await bench.create();
    const path = `${sandbox.paths.workspace}/fail.cjs`;
    await sandbox.write([{ path, data: Buffer.from('console.error("no such luck"); process.exitCode = 3;') }]);
    await sandbox.start([path], {});
    await until(async () => (await sandbox.status()).state === "failed");
    expect((await sandbox.status()).why).toContain("exit code 3");
    expect(await sandbox.logs(1_000)).toContain("no such luck");
    expect(await sandbox.logs(5)).toHaveLength(5);
    await sandbox.destroy();
  });
}
