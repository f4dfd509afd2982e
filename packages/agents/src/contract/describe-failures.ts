import { SandboxError } from "@sandbox-agent-ts/protocol";
import { describe, expect } from "vitest";
import type { ModelWish } from "../agent.ts";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import type { HarnessTurn } from "./agent-harness.ts";
import type { ProvokingMessage } from "./agent-scenario.ts";
import { expectProvoked } from "./expect-provoked.ts";
import { eventsOf } from "./stream-readers.ts";

const tellsWhatToDoAboutTheKey = /key|log ?in|sign(ed)? in|credential|token/i;

/** It may be signed in, and told only that it is not. */
const tellsThatItIsNotAllowed = /may not|not allowed|forbidden|not supported|permission/i;

const tellsToTryLater = /again|wait|later/i;

const names = [
  "error",
  "wrongKey",
  "forbidden",
  "unknownModel",
  "rateLimit",
  "serverError",
  "lastingRateLimit",
  "lastingServerError",
  "cutStream",
] as const;

/** The model fails in all the ways models do; the session never does. */
export function describeFailures(contract: AgentContract): void {
  describe("meets failures and", () => {
    for (const name of names) {
      contract.feature(name, async (by) => {
        const harness = await contract.open(by);
        const turn = await promptWith(harness, by);
        expectProvoked(turn, by.ends ? by : { ...by, ends: "error" });
        if (turn.outcome.reason === "error") expectReported(turn);
        if (name === "wrongKey") expect(turn.outcome.message).toMatch(tellsWhatToDoAboutTheKey);
        if (name === "forbidden") expect(turn.outcome.message).toMatch(tellsThatItIsNotAllowed);
        if (name.startsWith("lasting")) expect(turn.outcome.message).toMatch(tellsToTryLater);
        expectSound(harness);
        await contract.expectUsable(harness);
      });
    }

    contract.feature("unknownVariant", async (by) => {
      const { host, session } = contract.world;
      const wish: ModelWish = { ...session, ...by.session };
      const refusal = await contract.adapter.refuseModel?.(host, wish);
      const told = refusal?.message ?? (await failureOf(contract, by));
      expect(told, "said before the session is created, or in its turn").toContain(wish.variant);
    });
  });
}

/** What a person reads of it: why the session could not be opened or prompted, or why its turn failed. */
async function failureOf(contract: AgentContract, by: ProvokingMessage): Promise<string | undefined> {
  try {
    const harness = await contract.open(by);
    const { outcome } = await promptWith(harness, by);
    expectSound(harness);
    return outcome.message;
  } catch (error) {
    if (error instanceof SandboxError) return error.message;
    throw error;
  }
}

function expectReported({ outcome, events }: HarnessTurn): void {
  expect(outcome.message).toMatch(/\S/);
  expect(eventsOf(events, "error")).not.toEqual([]);
}
