import { describe, expect, test } from "vitest";
import { checkExpectation } from "./check-expectation.ts";
import { type ModelRequest, modelMessage } from "./model-request.ts";

const image = { mime: "image/png", data: "AA==", url: undefined };
const request: ModelRequest = {
  model: "m-1",
  stream: true,
  system: "be kind",
  tools: ["Bash", "Read"],
  messages: [
    modelMessage("user", { texts: ["first wish"] }),
    modelMessage("assistant", { toolCalls: [{ id: "1", name: "Bash", input: { command: "ls" } }] }),
    modelMessage("user", { toolResults: [{ id: "1", text: "a.txt", isError: false, images: [image] }] }),
    modelMessage("user", { texts: ["second wish"], images: [image] }),
  ],
};

describe("an expectation", () => {
  test.each([
    ["text", { text: "second" }, { text: "first" }],
    ["several texts", { text: ["second", /w.sh/] }, { text: ["second", "third"] }],
    ["toolResult", { toolResult: /a\.\w+/ }, { toolResult: "second" }],
    ["images, in results too", { images: 2 }, { images: 3 }],
    ["history, tool inputs too", { history: ["first", "ls"] }, { history: "never said" }],
    ["system", { system: "kind" }, { system: "cruel" }],
    ["model", { model: "m-1" }, { model: "m-2" }],
    ["tools", { tools: ["Bash", "Read"] }, { tools: ["Bash", "Write"] }],
  ])("of %s is met or told", (_name, met, unmet) => {
    expect(checkExpectation(met, request)).toEqual([]);
    expect(checkExpectation(unmet, request)).toHaveLength(1);
  });

  test("says what was there instead", () => {
    expect(checkExpectation({ text: "third" }, request)).toEqual([
      'expected "third" in the new messages, which is: "\\nsecond wish"',
    ]);
  });
});
