import { describe } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import {
  expectModelSaw,
  expectModelSawImage,
  expectModelSawPaths,
  expectProvoked,
  expectUntouched,
} from "./expect-provoked.ts";

const names = [
  "systemPrompt",
  "model",
  "environment",
  "imageAttachment",
  "imageBesideFile",
  "oddFileName",
  "fileAttachment",
] as const;

/** What a session is given, and what goes with a message, reaches the model. */
export function describeInput(contract: AgentContract): void {
  describe("is given things and", () => {
    for (const name of names) {
      contract.feature(name, async (by) => {
        const { model } = contract.world;
        const harness = await contract.open(by);
        expectProvoked(await promptWith(harness, by), by);
        await expectUntouched(harness, by);
        expectModelSaw(model, by.message, by.modelSees ?? "");
        if (name === "imageAttachment" || name === "imageBesideFile") expectModelSawImage(model, by.message);
        if (name === "imageBesideFile" || name === "oddFileName") expectModelSawPaths(model, harness, by);
        expectSound(harness);
      });
    }
  });
}
