import { expect, test } from "vitest";
import { mergeSettings, parseSettings, readSettings } from "./json-settings.ts";

test("comments are allowed, and what looks like one inside of a string is none", () => {
  const text = '{ // the model\n "model": { "name": "a // b" /* really */ }\n}';
  expect(parseSettings(text)).toEqual({ model: { name: "a // b" } });
  expect(parseSettings("")).toEqual({});
  expect(() => parseSettings("{")).toThrow();
});

test.each([
  ["quotes", '"\\'],
  ["comments", "/*"],
])("%s that do not end are not looked at again and again", (_what, text) => {
  expect(() => parseSettings(text.repeat(200_000))).not.toThrow(RangeError);
});

test("groups are put together, whatever else is set twice counts as it was said last", () => {
  const under = { tools: { allowed: ["a"], shell: { pager: "x" } }, ui: { theme: "dark" } };
  const over = { tools: { allowed: ["b"], shell: { colour: true } }, ui: "none" };
  expect(mergeSettings(under, over)).toEqual({
    tools: { allowed: ["b"], shell: { pager: "x", colour: true } },
    ui: "none",
  });
});

test("a file that is not there has no settings", async () => {
  expect(await readSettings("/nowhere/settings.json")).toEqual({});
});
