/** Feared: an agent silently ignores a part of a profile. */
import { expect, test } from "vitest";
import { Reasons } from "./markdown.mjs";
import { cellOf } from "./profile-table.mjs";

const whole = { entity: "hooks", reason: "It has none." };
const part = { entity: "hooks", name: "turnEnd", reason: "It has none for turnEnd." };
const cell = (isShown: boolean, ...losses: object[]) => cellOf("hooks × aga", isShown, losses, new Reasons());

test("a part that is shown is seen, also where something of it is lost", () => {
  expect([cell(true), cell(true, part), cell(false, whole)]).toEqual(["seen", "seen (1)", "told as lost (1)"]);
});

test("a part that is neither shown nor told as lost, or both, is no cell", () => {
  expect(() => cell(false)).toThrow("hooks × aga is neither shown nor told as lost.");
  expect(() => cell(false, part)).toThrow("neither shown nor told as lost");
  expect(() => cell(true, whole)).toThrow("both shown and told as lost");
});
