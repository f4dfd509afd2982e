import { expect, test } from "vitest";
import { askingConfig } from "./asking-config.ts";

const asking = { edit: "ask", bash: "ask", webfetch: "ask" };

test.each([
  [undefined, { permission: asking }],
  ["{oops", { permission: asking }],
  ["[1]", { 0: 1, permission: asking }],
  ['{"model":"m"}', { model: "m", permission: asking }],
  ['{"permission":{"bash":"deny"}}', { permission: { ...asking, bash: "deny" } }],
  ['{"permission":"ask"}', { permission: "ask" }],
])("the user's %s becomes a configuration that asks", (given, config) => {
  expect(JSON.parse(askingConfig(given))).toEqual(config);
});
