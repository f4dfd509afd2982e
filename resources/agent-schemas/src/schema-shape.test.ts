import { expect, test } from "vitest";
import { reachable, splitBy, tidy } from "./schema-shape.mjs";

test("what says nothing about values is left out, and a field may be called like a word of the language", () => {
  const schema = {
    title: "T",
    description: "d",
    type: "object",
    additionalProperties: false,
    properties: { description: { type: "string", format: "uri", default: "" }, title: { allOf: [{ $ref: "#/x/A" }] } },
    oneOf: [{ required: ["title"], description: "d" }],
  };
  expect(tidy(schema, (ref: string) => ref.replace("#/x/", "#/$defs/"))).toEqual({
    type: "object",
    properties: { description: { type: "string" }, title: { $ref: "#/$defs/A" } },
    anyOf: [{ required: ["title"] }],
  });
});

test("a union is split by a field, also a deep one, and what stands beside it holds for each", () => {
  const said = (word: string) => ({ properties: { update: { properties: { kind: { const: word } } } } });
  const schema = { properties: { at: { type: "number" } }, anyOf: [said("a"), { $ref: "#/$defs/B" }] };
  const split = splitBy(schema, ["update", "kind"], { B: { anyOf: [said("b"), said("c")] } })!;
  expect(split.map(([word]: [string, object]) => word)).toEqual(["a", "b", "c"]);
  for (const [, part] of split) expect(JSON.stringify(part)).toContain('"at":{"type":"number"}');
});

test("what does not say which kind it is cannot be split", () => {
  expect(
    splitBy({ anyOf: [{ properties: { type: { const: "a" } } }, { type: "object" }] }, ["type"], {}),
  ).toBeUndefined();
});

test("only what is needed is kept, and a definition that is missing is told", () => {
  const defs = { A: { items: { $ref: "#/$defs/B~1C" } }, "B/C": { type: "string" }, D: {} };
  expect(Object.keys(reachable({ kind: { $ref: "#/$defs/A" } }, defs))).toEqual(["A", "B/C"]);
  expect(() => reachable({ kind: { $ref: "#/$defs/E" } }, defs)).toThrow("which it does not have");
});
