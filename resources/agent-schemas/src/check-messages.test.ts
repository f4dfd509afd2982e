// Feared: a check that everything passes. Each fault is put into a message that is right without it.
import { expect, test } from "vitest";
import { makeArtifact } from "./artifact.mjs";
import { checkMessages } from "./check-messages.mjs";

const defs = {
  Item: {
    anyOf: [
      {
        type: "object",
        required: ["type", "command"],
        properties: {
          type: { const: "command" },
          command: { type: "string" },
          exit: { type: ["integer", "null"] },
          state: { enum: ["running", "done"] },
        },
      },
      { type: "object", required: ["type", "text"], properties: { type: { const: "said" }, text: { type: "string" } } },
    ],
  },
};
const schema = {
  type: "object",
  required: ["item", "at"],
  properties: {
    item: { $ref: "#/$defs/Item" },
    at: { type: "number" },
    input: {},
    tags: { type: "object", additionalProperties: { type: "string" } },
  },
};
const source = { package: "p", version: "1", command: "c" };
const artifact = makeArtifact({ name: "it", source, kinds: { "item/done": schema }, defs });

const right = {
  item: { type: "command", command: "ls", exit: 0, state: "done" },
  at: 1,
  input: { x: 1 },
  tags: { a: "b" },
};

function check(params: unknown, method = "item/done", watched = new Set<string>()) {
  const lines = [{ line: JSON.stringify({ method, params }), from: "agent", process: 0 }];
  const { seen, checked, ...findings } = checkMessages({ artifact, schema: "codex", lines, watched });
  const told = Object.entries(findings).map(([category, found]) => [category, [...found.keys()]]);
  return { checked, seen, ...Object.fromEntries(told) };
}

test("a message that is right is read to its end, and nothing is told", () => {
  const { seen, ...rest } = check(right);
  expect(rest).toEqual({ checked: 1, unknownKinds: [], unknownFields: [], unknownWords: [], invalid: [] });
  expect([...seen.get("item/done")!]).toEqual(
    expect.arrayContaining(["item", "item.command", "item.exit", "at", "input", "tags"]),
  );
});

test.each([
  ["a kind nobody knows", right, "item/glowing", { unknownKinds: ["item/glowing"] }],
  ["one more field", { ...right, glow: 1 }, undefined, { unknownFields: ["item/done: glow"] }],
  [
    "a field with another name",
    { ...right, item: { type: "command", cmd: "ls" } },
    undefined,
    { unknownFields: ["item/done: item.cmd"], invalid: ["item/done: item.command is missing"] },
  ],
  ["a field of another type", { ...right, at: "1" }, undefined, { invalid: ["item/done: at is string, not number"] }],
  [
    "a variant nobody knows",
    { ...right, item: { type: "hologram" } },
    undefined,
    { unknownWords: ['item/done: item is "hologram"'] },
  ],
  [
    "a word nobody knows, in the variant that is meant",
    { ...right, item: { ...right.item, state: "asleep" } },
    undefined,
    { unknownWords: ['item/done: item.state is "asleep"'] },
  ],
  [
    "what was an object is a list",
    { ...right, item: [right.item] },
    undefined,
    { invalid: ["item/done: item is array"] },
  ],
  [
    "another type behind a name of one's own",
    { ...right, tags: { a: 1 } },
    undefined,
    { invalid: ["item/done: tags.* is number, not string"] },
  ],
])("%s is told, and nothing else", (_what, params, method, expected) => {
  const nothing = { unknownKinds: [], unknownFields: [], unknownWords: [], invalid: [] };
  const { seen: _seen, checked: _checked, ...told } = check(params, method);
  expect(told).toEqual({ ...nothing, ...expected });
});

test("what a schema leaves open is only looked through for names on the watch list", () => {
  const { seen, unknownFields } = check({ ...right, input: { deep: [{ exit: 1 }] } }, "item/done", new Set(["exit"]));
  expect(unknownFields).toEqual([]);
  expect([...seen.get("item/done")!]).toContain("~exit");
});

test("an answer is held against the schema of what was asked, and what we say is no message of the agent", () => {
  const answers = makeArtifact({ name: "it", source, kinds: { "reply thread/start": schema }, defs });
  const lines = [
    { line: JSON.stringify({ id: 7, method: "thread/start", params: {} }), from: "us", process: 1 },
    { line: JSON.stringify({ id: 7, result: { ...right, at: null } }), from: "agent", process: 1 },
    { line: JSON.stringify({ id: 7, result: {} }), from: "agent", process: 2 },
  ];
  const { checked, invalid } = checkMessages({ artifact: answers, schema: "codex", lines });
  expect(checked).toBe(1);
  expect([...invalid.keys()]).toEqual(["reply thread/start: at is null, not number"]);
});
