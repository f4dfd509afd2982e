import { describe, expect, test } from "vitest";
import { refuseUnlisted, refuseVariant } from "./refuse-model.ts";

const models = { models: [{ id: "a", variants: ["low", "high"] }, { id: "b" }], defaultModel: "a" };

describe("a variant", () => {
  test.each([
    [{ variant: "high" }, undefined],
    [{}, undefined],
    [{ model: "a", variant: "low" }, undefined],
    [{ variant: "max" }, 'Ada with the model a has no variant "max". It has: low, high.'],
    [{ model: "b", variant: "low" }, 'Ada with the model b has no variant "low". It has: none; leave the variant out.'],
  ])("%j is refused if its model does not have it", (wish, message) => {
    expect(refuseVariant("Ada", models, wish)?.message).toBe(message);
  });

  test("of a model that is not listed is refused only where the variants of others are known", () => {
    expect(refuseVariant("Ada", models, { model: "c", variant: "max" })).toBeUndefined();
    expect(refuseVariant("Ada", models, { model: "c", variant: "max" }, ["low"])?.field).toBe("variant");
    expect(refuseVariant("Ada", { models: [] }, { variant: "max" })).toBeUndefined();
  });
});

test("a model that is not listed is refused where the list is complete", () => {
  expect(refuseUnlisted("Ada", models, { model: "c" })).toEqual({
    field: "model",
    message: 'Ada has no model "c". It has: a, b.',
  });
  expect(refuseUnlisted("Ada", models, { model: "b" })).toBeUndefined();
  expect(refuseUnlisted("Ada", models, { model: "b", variant: "x" })?.field).toBe("variant");
});
