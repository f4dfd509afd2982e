import { expect } from "vitest";
import { storeLabel } from "../../../sessions/sandbox-spec.ts";
import { expectNothingLeft, type HostedBench } from "./hosted-bench.ts";
import { idsAt } from "./suite-runtime.ts";

const anyCall = () => true;
/** More than anybody tries. */
const always = 1_000_000;
const needs = { service: true };
/** Nobody else uses the store. */
const reapGraceMs = 1_000;

/** What services do to those who use them. */
export function describeFaults(bench: HostedBench): void {
  const happened = (kind: string) => bench.service.faults.happened.filter((it) => it === kind).length;

  bench.test(
    "rateLimit",
    async () => {
      const suite = await bench.start();
      const [times, before] = [5, happened("status")];
      bench.service.faults.plan({
        call: "create",
        fault: { kind: "status", status: 429, retryAfterSeconds: 1 },
        times,
      });
      const names = ["one", "two", "three"];
      await Promise.all(names.map((name) => suite.client.createSession(name, { agent: "mock" })));
      const answers = await Promise.all(names.map((name) => suite.say(`echo ${name}`, name)));
      expect(answers).toEqual(names);
      expect(happened("status") - before).toBe(times);
      expect(await suite.sandboxes()).toHaveLength(names.length);
      for (const name of names) await suite.client.deleteSession(name);
      await expectNothingLeft(bench);
    },
    needs,
  );

  bench.test(
    "serviceError",
    async () => {
      const suite = await bench.start();
      await suite.client.createSession("s", { agent: "mock" });
      bench.service.faults.plan({ call: "create", fault: { kind: "status", status: 503 } });
      // Whether it was made nobody knows: the provider may try again, or have the turn end with the reason.
      expect(await suite.say("echo one")).toMatch(/^(one$|failed: \S.+)/);
      expect(await suite.say("echo two")).toBe("two");
      await expect.poll(() => suite.sandboxes(), { timeout: 30_000 }).toHaveLength(1);
      await suite.client.deleteSession("s");
      await expectNothingLeft(bench);
    },
    needs,
  );

  bench.test(
    "hangingCreate",
    async () => {
      const provider = await bench.open();
      const label = { key: storeLabel, value: "hanging" };
      bench.service.faults.plan({ call: "create", fault: { kind: "hang" } });
      const abort = new AbortController();
      const spec = { labels: { [label.key]: label.value }, bundle: bench.options.bundle };
      const creating = provider.create(spec, abort.signal);
      creating.catch(() => {});
      await expect.poll(() => bench.service.faults.hanging, { timeout: 30_000 }).toBe(1);
      abort.abort();
      await expect(creating).rejects.toThrow();
      bench.service.faults.clear();
      expect(await idsAt(provider, label.value)).toEqual([]);
      await expectNothingLeft(bench);
      await provider.dispose();
    },
    needs,
  );

  bench.test(
    "lostAnswer",
    async () => {
      const suite = await bench.start({ reapGraceMs });
      await suite.client.createSession("s", { agent: "mock" });
      bench.service.faults.plan({ call: "create", fault: { kind: "lost-answer" } });
      expect(await suite.say("echo one")).toMatch(/^(one$|failed: \S.+)/);
      expect(happened("lost-answer")).toBeGreaterThan(0);
      expect(await suite.say("echo two")).toBe("two");
      const { providerId } = await suite.row();
      await expect.poll(() => suite.sandboxes(), { timeout: 30_000 }).toEqual([providerId]);
      // A service may take its time with what is gone from its lists.
      const alive = () => bench.service.ledger.alive.map(({ id }) => id);
      await expect.poll(alive, { timeout: 30_000 }).toEqual([providerId]);
      await suite.client.deleteSession("s");
      await expectNothingLeft(bench);
    },
    needs,
  );

  bench.test(
    "expiredKey",
    async () => {
      const suite = await bench.start();
      const { providerId } = await suite.begin();
      await suite.idle();
      await suite.client.createSession("new", { agent: "mock" });
      bench.service.faults.plan({ call: anyCall, fault: { kind: "expired-key" }, times: always });
      const advice = /^failed: .*(key|token|credential)/i;
      expect(await suite.say("echo hello", "new")).toMatch(advice);
      expect(await suite.say("echo hello")).toMatch(advice);
      bench.service.faults.clear();
      expect(await suite.say("echo with a new key", "new")).toBe("with a new key");
      expect(await suite.say("echo back")).toBe("back");
      if (bench.options.can.suspend !== false) expect((await suite.row()).providerId).toBe(providerId);
      await suite.settled();
      for (const name of ["s", "new"]) await suite.client.deleteSession(name);
      await expectNothingLeft(bench);
    },
    needs,
  );

  bench.test(
    "outage",
    async () => {
      const first = await bench.start();
      const { providerId } = await first.begin();
      await first.quiet();
      bench.service.faults.plan({ call: anyCall, fault: { kind: "status", status: 503 }, times: always });
      const suite = await first.again();
      await expect.poll(async () => (await suite.sandbox())?.status, { timeout: 30_000 }).toMatch(/unhealthy|ready/);
      const answer = suite.say("echo meanwhile");
      answer.catch(() => {});
      await expect.poll(() => suite.isWaiting(), { timeout: 30_000 }).toBe(true);
      bench.service.faults.clear();
      expect(await answer).toMatch(/^(meanwhile$|failed: \S.+)/);
      await expect.poll(() => suite.say("echo back"), { timeout: 30_000 }).toBe("back");
      expect(await suite.row()).toMatchObject({ providerId, generation: 1 });
      await suite.settled();
      await suite.client.deleteSession("s");
      await expectNothingLeft(bench);
    },
    needs,
  );

  bench.test(
    "loginPage",
    async () => {
      const suite = await bench.start();
      const { providerId } = await suite.begin();
      await suite.quiet();
      const before = happened("login-page");
      bench.service.faults.plan({ call: "port", fault: { kind: "login-page" }, times: 3 });
      expect(await suite.say("echo all the same")).toBe("all the same");
      expect(happened("login-page")).toBeGreaterThan(before);
      expect(await suite.row()).toMatchObject({ providerId, generation: 1 });
      await suite.client.deleteSession("s");
      await expectNothingLeft(bench);
    },
    needs,
  );

  bench.test(
    "moved",
    async () => {
      const suite = await bench.start();
      const { providerId } = await suite.begin();
      await suite.quiet();
      expect(bench.service.move, "the service moves no machines: say so in leftOut").toBeDefined();
      await bench.service.move!(providerId);
      expect(await suite.say("echo there")).toBe("there");
      expect(await suite.row()).toMatchObject({ providerId, generation: 1 });
      await suite.settled();
      await suite.client.deleteSession("s");
      await expectNothingLeft(bench);
    },
    needs,
  );
}
