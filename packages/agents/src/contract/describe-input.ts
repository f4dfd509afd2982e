import { describe, expect } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import { expectModelSaw, expectProvoked, expectUntouched, requestsAbout } from "./expect-provoked.ts";

/** What a session is given, and what goes with a message, reaches the model. */
export function describeInput(contract: AgentContract): void {
  describe("is given things and", () => {
    for (const name of ["systemPrompt", "model", "environment", "imageAttachment", "fileAttachment"] as const) {
      contract.feature(name, async (by) => {
        const { model } = contract.world;
        const harness = await contract.open(by);
        expectProvoked(await promptWith(harness, by), by);
        await expectUntouched(harness, by);
        expectModelSaw(model, by.message, by.modelSees ?? "");
        if (model && name === "imageAttachment") {
          const images = requestsAbout(model, by.message).flatMap(({ messages }) => messages.flatMap((m) => m.images));
          expect(images).not.toEqual([]);
        }
        expectSound(harness);
      });
    }
  });
}
