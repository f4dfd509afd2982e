import { setTimeout as delay } from "node:timers/promises";
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";
import { killDaemon } from "./describe-sessions.ts";
import { expectNothingLeft, type HostedBench } from "./hosted-bench.ts";
import { graceMs, KillableRuntime } from "./killable-runtime.ts";
import { answerIn } from "./suite-runtime.ts";

/** `npm run crash -- --provider …` sets them. */
const wanted = Number(process.env.SANDBOX_AGENT_CRASH_SANDBOXES ?? 8);
const seed = Number(process.env.SANDBOX_AGENT_CRASH_SEED ?? 20_261_119);

const sessionsAtOnce = 4;
const longestRoundMs = 1_200;
const msForASandbox = 20_000;
const settleMs = 120_000;
const acts = ["runtime", "lose", "daemon", "delete", "runtime", "expire"] as const;

/** What is left, and what it costs, when everything ends at the worst moment. */
export function describeCrashes(bench: HostedBench): void {
  bench.test("crashes", () => new Crashes(bench).run(), {
    service: true,
    timeout: settleMs * 2 + wanted * msForASandbox,
  });
}

class Crashes {
  readonly #bench: HostedBench;
  readonly #runtime: KillableRuntime;
  readonly #below = seededRandom(seed);
  readonly #sessions = new Set<string>();
  #named = 0;

  constructor(bench: HostedBench) {
    this.#bench = bench;
    this.#runtime = new KillableRuntime(bench);
  }

  async run(): Promise<void> {
    const { ledger } = this.#bench.service;
    const before = ledger.entries.length;
    const made = () => ledger.entries.length - before;
    await this.#runtime.start();
    for (let round = 0; made() < wanted && round < 6 * wanted; round += 1)
      await this.#round(acts[round % acts.length]!);
    const said = `${made()} sandboxes with seed ${seed}`;
    expect(made(), said).toBeGreaterThanOrEqual(wanted);
    await this.#deleteOthers();
    await Promise.all([...this.#sessions].map((name) => this.#settle(name)));
    await expect
      .poll(() => ledger.alive.length, { timeout: graceMs + settleMs, message: said })
      .toBe(this.#sessions.size);
    for (const name of this.#sessions) await this.#runtime.client.deleteSession(name);
    await expectNothingLeft(this.#bench);
    for (const { id, billed } of ledger.entries) expect(areApart(billed), `${id} is billed twice`).toBe(true);
  }

  /** Everybody is at work, and something ends. */
  async #round(act: (typeof acts)[number]): Promise<void> {
    while (this.#sessions.size < sessionsAtOnce) {
      this.#named += 1;
      this.#sessions.add(`session-${this.#named}`);
    }
    const working = Promise.allSettled([...this.#sessions].map((name) => this.#work(name)));
    await delay(this.#below(longestRoundMs));
    await this.#end(act);
    await working;
  }

  async #end(act: (typeof acts)[number]): Promise<void> {
    const { service } = this.#bench;
    const ids = [...service.boxes.keys()];
    const id = ids[this.#below(ids.length)];
    switch (act) {
      case "runtime":
        await this.#runtime.end("SIGKILL");
        return this.#runtime.start();
      case "delete": {
        const name = [...this.#sessions][this.#below(this.#sessions.size)]!;
        this.#sessions.delete(name);
        // It may not have been made yet.
        return this.#runtime.client.deleteSession(name).catch(() => {});
      }
      case "lose":
        return id === undefined ? undefined : service.lose(id);
      case "expire":
        return id === undefined ? undefined : service.expire(id);
      case "daemon":
        // There is none in one that is being made, or suspended.
        if (id !== undefined && hasDaemon(this.#bench, id)) killDaemon(this.#bench, id);
    }
  }

  /** One that was to be deleted may have been made afterwards. */
  async #deleteOthers(): Promise<void> {
    const { client } = this.#runtime;
    for (const { sessionId } of (await client.listSessions()).sessions)
      if (!this.#sessions.has(sessionId)) await client.deleteSession(sessionId);
  }

  async #work(name: string): Promise<void> {
    const { client } = this.#runtime;
    await client.createSession(name, { agent: "mock" }).catch(() => {});
    await client.postMessage(name, { message: "echo hello" });
  }

  /** Until it answers: what was under way may fail, with a reason. */
  async #settle(name: string): Promise<void> {
    const { client } = this.#runtime;
    await client.createSession(name, { agent: "mock" }).catch(() => {});
    const ask = async () => {
      const events: UniversalEvent[] = [];
      for await (const event of client.streamTurn(name, { message: "echo still here" })) events.push(event);
      return answerIn(events);
    };
    await expect.poll(() => ask().catch(String), { timeout: settleMs, message: name }).toBe("still here");
  }
}

function hasDaemon({ service }: HostedBench, id: string): boolean {
  const processes = service.boxes.get(id)?.processes() ?? [];
  return processes.some(({ command }) => / \S*sandbox-agent\.cjs server /.test(command));
}

/** Each begins when the one before it has ended. */
function areApart(billed: readonly { readonly from: number; readonly to?: number | undefined }[]): boolean {
  return billed.every(({ from, to }, index) => {
    const next = billed[index + 1];
    return to !== undefined && to >= from && (next === undefined || next.from >= to);
  });
}

/** The same numbers for the same seed, each from 0 up to its limit. */
function seededRandom(start: number): (limit: number) => number {
  let state = start >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
