import { expect, test } from "vitest";
import { makeArtifact } from "./artifact.mjs";
import { diffSchemas, isAlarm } from "./diff-schemas.mjs";

const source = { package: "p", version: "1", command: "c" };
const reading = { fields: new Set(["output", "status"]), readsKind: (kind: string) => kind === "item" };

function artifact(item: object, kinds: object = {}) {
  const schemas = { item: { $ref: "#/$defs/Item" }, ...kinds };
  return makeArtifact({ name: "it", source, kinds: schemas, defs: { Item: { type: "object", properties: item } } });
}

const diff = (before: object, after: object) =>
  diffSchemas(artifact(before), artifact(after), reading).map((change) => ({ ...change, alarm: isAlarm(change) }));

const text = { type: "string" };

test("nothing changed, nothing is told", () => {
  expect(diff({ output: text }, { output: text })).toEqual([]);
});

test("a field that we read has another name: that it went is an alarm, that one came is news", () => {
  expect(diff({ output: text }, { combined: text })).toEqual([
    { what: "removed", field: "Item.output", type: "string", mark: "read", alarm: true },
    { what: "added", field: "Item.combined", type: "string", mark: "may show", alarm: false },
  ]);
});

test("another type is an alarm where we read it, and more words are not", () => {
  expect(diff({ output: text, other: text }, { output: { type: "number" }, other: { type: "number" } })).toMatchObject([
    { what: "changed", field: "Item.output", type: "string", newType: "number", alarm: true },
    { what: "changed", field: "Item.other", alarm: false },
  ]);
  expect(diff({ status: { enum: ["a"] } }, { status: { enum: ["a", "b"] } })).toMatchObject([
    { what: "wider", field: "Item.status", newType: '"a" | "b"', alarm: false },
  ]);
});

test("kinds come and go", () => {
  const [before, after] = [artifact({}, { old: text }), artifact({}, { fresh: text })];
  expect(diffSchemas(before, after, { ...reading, readsKind: (kind: string) => kind === "old" })).toEqual([
    { what: "removed", kind: "old", mark: "read" },
    { what: "added", kind: "fresh", mark: "ignored" },
  ]);
});

test("variants of a union are told apart by their word", () => {
  const variant = (word: string, fields: object) => ({ properties: { type: { const: word }, ...fields } });
  const before = { item: { anyOf: [variant("a", { output: text }), variant("b", { output: text })] } };
  const after = { item: { anyOf: [variant("a", { output: text }), variant("b", {})] } };
  expect(diff(before, after)).toMatchObject([{ what: "removed", field: "Item.item(b).output", alarm: true }]);
});
