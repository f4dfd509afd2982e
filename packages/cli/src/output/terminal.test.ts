import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { terminalOf } from "./terminal.ts";

const stream = (isTTY: boolean, columns?: number) => Object.assign(new PassThrough(), { isTTY, columns });

const colored = (isTTY: boolean, env: Record<string, string>): boolean =>
  terminalOf(stream(isTTY), env).paint("red", "x") !== "x";

describe("colours", () => {
  it.each([
    [true, {}, true],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { TERM: "dumb" }, false],
    [true, { FORCE_COLOR: "0" }, false],
    [false, {}, false],
    [false, { FORCE_COLOR: "1" }, true],
    [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("in a terminal: %j, with %j in the environment: %j", (isTTY, env, expected) => {
    expect(colored(isTTY, env)).toBe(expected);
  });

  it("are closed again", () => {
    expect(terminalOf(stream(true), {}).paint("red", "x")).toBe("\u001b[31mx\u001b[39m");
  });
});

it("a terminal that does not say its width counts as 80 columns wide", () => {
  expect(terminalOf(stream(true), {}).columns).toBe(80);
  expect(terminalOf(stream(true, 0), {}).columns).toBe(80);
  expect(terminalOf(stream(true, 120), {}).columns).toBe(120);
});
