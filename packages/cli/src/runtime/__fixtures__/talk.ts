import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Client, session } from "../../../../daemon/src/__fixtures__/client.ts";
import { eventually } from "../../../../daemon/src/__fixtures__/eventually.ts";
import type { Random } from "../../../../daemon/src/__fixtures__/seeded-random.ts";
import { Witness } from "../../../../daemon/src/__fixtures__/witness.ts";

const messagesPerLife = 4;
const longestPauseMs = 60;
const settleMs = 60_000;

/** The agent of `scripts/attack/hostile-agent.mjs`, which notes what it was asked. */
export const hostile = "hostile";
const messages: Record<string, readonly string[]> = {
  mock: ["echo some words", "slow 20 20", "tool", "permission", "burst 3000 200", "markdown", "error"],
  [hostile]: ["some words", "slow 20 20", "ask", "flood 300 300 x", "exit 3", "leave session", "odd"],
};
export const talkingAgents: readonly string[] = Object.keys(messages);

/** A session and what was said in it, each message with a mark of its own. */
export class Talk {
  readonly witness: Witness;
  readonly #random: Random;
  #count = 0;

  constructor(id: string, agent: string, random: Random) {
    this.witness = new Witness(id, agent, random);
    this.#random = random;
  }

  /** Talk for a while. Rejects when the runtime goes away. */
  async disturb(client: Client): Promise<void> {
    const { id, agent } = this.witness;
    await this.witness.create(client);
    await this.witness.follow(client, { answers: this.#random.below(2) === 0 });
    if (this.#random.below(2) === 0) await this.witness.answerPending(client);
    const mark = () => (agent === hostile ? ` #${id}-${++this.#count}` : "");
    for (let n = 0; n < messagesPerLife; n++) {
      await this.witness.send(client, this.#random.pick(messages[agent]!) + mark());
      await sleep(this.#random.below(longestPauseMs));
    }
    if (this.#random.below(8) === 0) await client.call("POST", `${session(id)}/interrupt`);
  }

  /** Everything that was acknowledged comes to its end. */
  async settle(client: Client): Promise<void> {
    const { witness } = this;
    await witness.create(client);
    await witness.follow(client);
    await eventually(async () => {
      await witness.answerPending(client);
      expect(witness.open, `turns of ${witness.id} that have not ended`).toEqual([]);
    }, settleMs);
    await eventually(async () =>
      expect(await client.info(witness.id)).toMatchObject({ status: "idle", queuedTurns: 0 }),
    );
    await witness.expectTold(client);
    await eventually(async () => {
      const { runtime } = await client.info(witness.id);
      expect(["ready", "terminated", undefined]).toContain(runtime?.sandbox?.status);
    });
  }
}
