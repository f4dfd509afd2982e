import { expect, test } from "vitest";
import { modelMessage } from "./model-request.ts";
import { promptsOf } from "./prompts.ts";

const image = { mime: "image/png", data: "AA==", url: undefined };
const result = { id: "1", text: "ok", isError: false, images: [] };

test("prompts are what people said, without the agents' context and tool results", () => {
  const messages = [
    modelMessage("system", { texts: ["be brief"] }),
    modelMessage("user", { texts: ["<system-reminder>date</system-reminder>", "hello\n"] }),
    modelMessage("user", { texts: ["<environment_context>cwd</environment_context>"] }),
    modelMessage("assistant", { texts: ["hi"] }),
    modelMessage("user", { texts: ["<b>bold</b> wish"], toolResults: [] }),
    modelMessage("user", { texts: ["noted"], toolResults: [result] }),
    modelMessage("user", { images: [image] }),
  ];
  expect(promptsOf(messages)).toEqual([
    { text: "hello", messageIndex: 1 },
    { text: "<b>bold</b> wish", messageIndex: 4 },
    { text: "", messageIndex: 6 },
  ]);
});

test("what follows an interruption of a tool is said by a person", () => {
  const texts = ["<system-reminder>date</system-reminder>", "[Request interrupted by user for tool use]\n", "go on"];
  expect(promptsOf([modelMessage("user", { texts, toolResults: [result] })])).toEqual([
    { text: "go on", messageIndex: 0 },
  ]);
});
