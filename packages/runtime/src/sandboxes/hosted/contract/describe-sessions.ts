import { expect } from "vitest";
import { expectNothingLeft, type HostedBench } from "./hosted-bench.ts";
import { answerIn, idsAt, modelKey } from "./suite-runtime.ts";

/** A life that is short enough to be seen extended, and long enough for a sandbox to be made in it. */
const shortLifeMs = 15_000;
const completed = { metadata: { reason: "completed" } };

/** Sessions from their first message to their end. */
export function describeSessions(bench: HostedBench): void {
  const { can } = bench.options;

  bench.test("session", async () => {
    const suite = await bench.start();
    const { client } = suite;
    await suite.begin();
    expect(await suite.sandboxes()).toEqual([(await suite.row()).providerId]);
    expect(await suite.sandbox()).toMatchObject({ status: "ready", generation: 1, provider: bench.name });

    const permission = await suite.ask();
    expect(await client.getSession("s")).toMatchObject({ status: "waiting", pendingPermissions: [permission] });
    await client.replyPermission("s", permission, { reply: "once" });
    const events = await suite.settled();
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: completed });

    await suite.writeFile("deep/ä ü.txt", "kept");
    expect(await suite.readFile("deep/ä ü.txt")).toBe("kept");
    await client.deleteSession("s");
    expect(await suite.sandboxes()).toEqual([]);
    await expectNothingLeft(bench);
  });

  bench.test("idle", async () => {
    const suite = await bench.start();
    const { providerId } = await suite.begin();
    await suite.writeFile("kept.txt", "kept");
    expect(await suite.say("echo again")).toBe("again");
    await suite.idle();
    if (!bench.isLive) expect(bench.service.ledger.running).toEqual([]);
    if (can.suspend === false) expect(await suite.sandboxes()).toEqual([]);
    else expect(await suite.sandbox()).toMatchObject({ status: "ready", statusMessage: "Suspended.", generation: 1 });

    suite.steps.length = 0;
    expect(await suite.say("echo back")).toBe("back");
    expect(await suite.readFile("kept.txt")).toBe("kept");
    const isSame = can.suspend !== false;
    expect(suite.steps.some((step) => step.startsWith("starting Resuming the sandbox"))).toBe(isSame);
    expect((await suite.sandbox())?.generation).toBe(isSame ? 1 : 2);
    expect((await suite.row()).providerId === providerId).toBe(isSame);
    await suite.settled();
    await suite.client.deleteSession("s");
    await expectNothingLeft(bench);
  });

  bench.test("looking", async () => {
    const first = await bench.start();
    const { providerId } = await first.begin();
    await first.idle();
    const suite = await first.again();
    const seen = await suite.provider.attach(providerId);
    const state = can.suspend === false ? undefined : "suspended";
    expect((await seen?.status())?.state).toBe(state);
    await suite.client.listSessions();
    await suite.client.getSession("s");
    await suite.events();
    await seen?.logs(1_000).catch(() => {});
    expect(await idsAt(suite.provider, suite.store.storeId)).toEqual(state ? [providerId] : []);
    expect((await seen?.status())?.state).toBe(state);
    if (!bench.isLive) expect(bench.service.ledger.running).toEqual([]);
    await suite.client.deleteSession("s");
    await expectNothingLeft(bench);
  });

  bench.test(
    "daemonKilled",
    async () => {
      const suite = await bench.start();
      const { providerId } = await suite.begin();
      await suite.ask();
      killDaemon(bench, providerId);
      expect(answerIn(await suite.settled())).toContain("failed: ");
      expect(await suite.say("echo again")).toBe("again");
      expect(await suite.sandbox()).toMatchObject({ status: "ready", generation: 1, restartCount: 1 });
      await suite.client.deleteSession("s");
    },
    { service: true },
  );

  bench.test(
    "lost",
    async () => {
      const suite = await bench.start();
      const { providerId } = await suite.begin();
      await suite.writeFile("kept.txt", "kept");
      expect(await suite.say("echo again")).toBe("again");
      await suite.quiet();
      await bench.service.lose(providerId);
      expect(await suite.say("echo after")).toBe("after");
      expect(await suite.sandbox()).toMatchObject({ status: "ready", generation: 2 });
      expect(await suite.readFile("kept.txt")).toBe("kept");

      await suite.ask();
      await bench.service.lose((await suite.row()).providerId);
      expect(answerIn(await suite.settled())).toMatch(/^failed: The sandbox was lost/);
      expect(await suite.say("echo at last")).toBe("at last");
      expect(await suite.sandbox()).toMatchObject({ status: "ready", generation: 3 });
      await suite.client.deleteSession("s");
      await expectNothingLeft(bench);
    },
    { service: true },
  );

  bench.test(
    "sleeping",
    async () => {
      const suite = await bench.start();
      const { providerId } = await suite.begin();
      await suite.quiet();
      await bench.service.expire(providerId);
      const billed = () => bench.service.ledger.entries.find(({ id }) => id === providerId)?.billed;
      expect(billed()?.at(-1)?.to).toBeDefined();
      const times = billed()!.length;
      // So often somebody looks after it meanwhile.
      for (let look = 0; look < 10; look += 1) {
        await suite.client.getSession("s");
        await suite.provider.attach(providerId).then((found) => found?.status());
      }
      expect([billed()?.length, bench.service.ledger.running]).toEqual([times, []]);
      expect(await suite.say("echo awake")).toBe("awake");
      await suite.settled();
      await suite.client.deleteSession("s");
      await expectNothingLeft(bench);
    },
    { service: true },
  );

  bench.test(
    "deadline",
    async () => {
      const suite = await bench.start();
      const { providerId } = await suite.begin();
      const permission = await suite.ask();
      await bench.service.expire(providerId);
      const isGone = bench.service.ledger.entries.some((it) => it.id === providerId && it.endedAt !== undefined);
      // Where the service only suspends it then, the turn may go on.
      if (!isGone) await suite.client.replyPermission("s", permission, { reply: "once" }).catch(() => {});
      const answer = answerIn(await suite.settled());
      if (isGone) expect(answer).toMatch(/^failed: The sandbox was lost/);
      expect(await suite.say("echo again")).toBe("again");
      expect((await suite.sandbox())?.generation).toBe(isGone ? 2 : 1);
      await suite.client.deleteSession("s");
      await expectNothingLeft(bench);
    },
    { service: true },
  );

  bench.test(
    "keptAlive",
    async () => {
      const suite = await bench.start({ sandboxLifeMs: shortLifeMs, idleTimeoutMs: 1_000 });
      const { providerId } = await suite.begin();
      const deadline = () => bench.service.boxes.get(providerId)?.deadline ?? 0;
      const permission = await suite.ask();
      const before = deadline();
      expect(before).toBeGreaterThan(0);
      if (can.extend) await expect.poll(deadline, { timeout: shortLifeMs, interval: 100 }).toBeGreaterThan(before);
      await suite.client.replyPermission("s", permission, { reply: "once" });
      expect((await suite.settled()).at(-1)).toMatchObject({ data: completed });
      await suite.client.deleteSession("s");
      await expectNothingLeft(bench);
    },
    { service: true },
  );

  bench.test("restart", async () => {
    const first = await bench.start();
    const { providerId } = await first.begin();
    const permission = await first.ask();
    const suite = await first.again();
    expect(await suite.client.getSession("s")).toMatchObject({ status: "waiting", pendingPermissions: [permission] });
    await suite.client.replyPermission("s", permission, { reply: "once" });
    expect((await suite.settled()).at(-1)).toMatchObject({ data: completed });
    expect((await suite.row()).providerId).toBe(providerId);
    expect(await suite.sandboxes()).toEqual([providerId]);
    await suite.client.deleteSession("s");
    await expectNothingLeft(bench);
  });

  bench.test(
    "secrets",
    async () => {
      const suite = await bench.start();
      await suite.begin();
      const token = await suite.tokenOf();
      await suite.idle();
      expect(await suite.say("echo again")).toBe("again");
      const secrets = [modelKey, token, await suite.tokenOf(), ...accountKeys(bench)];
      await suite.client.deleteSession("s");
      const requests = JSON.stringify(bench.service.requests);
      expect(requests.length).toBeGreaterThan(0);
      for (const secret of secrets)
        for (const written of [secret, Buffer.from(secret).toString("base64").replace(/=+$/, "")])
          expect(requests.includes(written), "a secret is in a request to the service").toBe(false);
    },
    { service: true },
  );
}

/** What of the settings is nobody's business but the provider's and the service's. */
function accountKeys({ current }: HostedBench): string[] {
  const isSecret = /key|token|secret|password/i;
  return Object.entries(current.settings).flatMap(([name, value]) =>
    isSecret.test(name) && typeof value === "string" && value.length > 7 ? [value] : [],
  );
}

/** A child of a daemon that is about to become another program looks like one, too, and may be gone already. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** As the kernel might. */
export function killDaemon({ service }: HostedBench, id: string): void {
  const processes = service.boxes.get(id)?.processes() ?? [];
  const daemons = processes.filter(({ command }) => /^\S*node\S* \S*sandbox-agent\.cjs server /.test(command));
  expect(daemons.length, "daemons in the sandbox").toBeGreaterThan(0);
  for (const { pid } of daemons) kill(pid);
}
