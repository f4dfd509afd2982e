// What Codex says of itself is what we can read: a type that changes in its schema does not compile here.
import { expectTypeOf, test } from "vitest";
import type { components } from "./__fixtures__/vendor-messages.gen.ts";
import type { CodexAsk, CodexError, CodexItem, CodexModel, CodexParams, CodexTokens, CodexTurn } from "./dialect.ts";

type Messages = components["schemas"];
type Item<Type> = Extract<Messages["ThreadItem"], { type: Type }>;

test("what it tells fits our reading of it", () => {
  expectTypeOf<Messages["turn/started"]["turn"]>().toExtend<CodexTurn>();
  expectTypeOf<Messages["turn/completed"]["turn"]>().toExtend<CodexTurn>();
  expectTypeOf<Messages["error"]["error"]>().toExtend<CodexError>();
  expectTypeOf<Messages["thread/tokenUsage/updated"]["tokenUsage"]["last"]>().toExtend<CodexTokens>();
  expectTypeOf<Messages["turn/plan/updated"]>().toExtend<CodexParams>();
  expectTypeOf<Messages["item/agentMessage/delta"]>().toExtend<CodexParams>();
  expectTypeOf<Messages["reply model/list"]["data"][number]>().toExtend<CodexModel>();
});

test("the items we show fit our reading of them", () => {
  expectTypeOf<Item<"agentMessage" | "plan" | "reasoning">>().toExtend<CodexItem>();
  expectTypeOf<Item<"commandExecution" | "fileChange">>().toExtend<CodexItem>();
  // What tools of MCP servers answer is of no type for Codex.
  expectTypeOf<Omit<Item<"mcpToolCall">, "result">>().toExtend<CodexItem>();
  expectTypeOf<Item<"collabAgentToolCall" | "subAgentActivity">>().toExtend<CodexItem>();
  expectTypeOf<Item<"webSearch" | "imageView" | "imageGeneration">>().toExtend<CodexItem>();
});

test("what it asks fits our reading of it", () => {
  expectTypeOf<Messages["item/commandExecution/requestApproval"]>().toExtend<CodexAsk>();
  expectTypeOf<Messages["item/fileChange/requestApproval"]>().toExtend<CodexAsk>();
  expectTypeOf<Messages["item/tool/requestUserInput"]>().toExtend<CodexAsk>();
});
