import { expect, test } from "vitest";
import type { JsonRpcCall } from "../json-rpc/json-rpc-message.ts";
import { HeldCalls } from "./held-calls.ts";

const told = (sessionUpdate: string): JsonRpcCall => {
  return { method: "session/update", params: { update: { sessionUpdate } }, raw: sessionUpdate };
};
const [words, mode] = [told("agent_message_chunk"), told("current_mode_update")];

test("what belongs into a turn waits for the next one, the rest passes", () => {
  const held = new HeldCalls();
  held.begin({ drop: false });
  expect(held.hold([words, mode])).toEqual([mode]);
  expect(held.release()).toEqual([words]);
  expect(held.release()).toEqual([]);
});

test("what is about something that is over is dropped", () => {
  const held = new HeldCalls();
  expect(held.hold([words])).toEqual([]);
  held.begin({ drop: true });
  expect(held.hold([words, mode])).toEqual([mode]);
  expect(held.release()).toEqual([]);
});

test("nobody hears more than there is room for", () => {
  const held = new HeldCalls();
  held.begin({ drop: false });
  held.hold(new Array<JsonRpcCall>(5_000).fill(words));
  expect(held.release()).toHaveLength(1_000);
});
