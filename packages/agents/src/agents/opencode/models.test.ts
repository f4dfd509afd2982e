import { expect, test } from "vitest";
import { chooseModel, hasModel, readModels } from "./models.ts";

const providers = {
  providers: [
    { id: "one", models: { small: { name: "Small", variants: { low: {}, high: {} } }, "deep/large": {} } },
    { id: "two", models: { other: { name: "Other" } } },
  ],
  default: { one: "small", two: "other" },
};

test("models are named with their provider and have their variants", () => {
  expect(readModels(providers)).toEqual({
    models: [
      { id: "one/small", name: "Small", variants: ["low", "high"] },
      { id: "one/deep/large" },
      { id: "two/other", name: "Other" },
    ],
    defaultModel: "one/small",
  });
});

test("the default is the user's where there is such a model, and nothing where there is none", () => {
  expect(readModels(providers, "two/other").defaultModel).toBe("two/other");
  expect(readModels(providers, "two/gone").defaultModel).toBe("one/small");
  expect(readModels({})).toEqual({ models: [] });
});

test.each([
  ["one/small", "one", "small"],
  ["one/deep/large", "one", "deep/large"],
  ["other", "two", "other"],
  ["deep/large", "one", "deep/large"],
  ["unknown", "one", "unknown"],
  ["gone/model", "gone", "model"],
])("%s is %s's %s", (model, providerID, modelID) => {
  expect(chooseModel(model, providers)).toEqual({ providerID, modelID });
});

test("a model is there or not", () => {
  expect(hasModel(providers, { providerID: "two", id: "other" })).toBe(true);
  expect(hasModel(providers, { providerID: "one", id: "other" })).toBe(false);
  expect(hasModel(providers, undefined)).toBe(false);
});
