/** Feared: a rule that lets pass more than Claude Code meant it to. */
import { expect, test } from "vitest";
import { newClaudeState } from "../__fixtures__/recording.ts";
import type { PermissionRule } from "../dialect.ts";
import { isAllowedAlways, useKey } from "./allowed-uses.ts";

const state = (...allowedRules: PermissionRule[]) => ({ ...newClaudeState(), allowedRules });
const bash = (command: string) => ({ tool_name: "Bash", input: { command } });

test.each([
  ["touch y *", "touch y", true],
  ["touch y *", "touch y z", true],
  ["touch y:*", "touch y z", true],
  ["touch y", "touch y", true],
  ["touch y *", "touch yz", false],
  ["touch y *", "touch", false],
  ["touch y", "touch y z", false],
  ["touch y *", "touch y; rm -r /", false],
  ["touch y *", "touch y && rm -r /", false],
  ["touch y *", "touch y $(rm -r /)", false],
  ["touch y *", "touch y `rm -r /`", false],
  ["touch y *", "touch y > /etc/passwd", false],
  ["touch y *", "touch y\nrm -r /", false],
  ["git * *", "git push --force", false],
])("the rule %s and the command %j: %s", (ruleContent, command, allowed) => {
  expect(isAllowedAlways(state({ toolName: "Bash", ruleContent }), bash(command))).toBe(allowed);
});

test("a rule without content covers its tool and no other", () => {
  const rules = state({ toolName: "mcp__a__b" });
  expect(isAllowedAlways(rules, { tool_name: "mcp__a__b", input: { any: "thing" } })).toBe(true);
  expect(isAllowedAlways(rules, { tool_name: "mcp__a__c", input: {} })).toBe(false);
});

test("a rule about a domain covers its pages", () => {
  const rules = state({ toolName: "WebFetch", ruleContent: "domain:example.org" });
  const fetch = (url: string) => ({ tool_name: "WebFetch", input: { url } });
  expect(isAllowedAlways(rules, fetch("https://example.org/a"))).toBe(true);
  expect(isAllowedAlways(rules, fetch("https://example.org.evil.net/"))).toBe(false);
  expect(isAllowedAlways(rules, fetch("no url"))).toBe(false);
});

test("after `always` for any command full of signs, no other command is covered", () => {
  const pieces = [
    "a",
    "rm",
    " ",
    "*",
    ":*",
    " *",
    "(",
    ")",
    ",",
    "'",
    '"',
    "\\",
    "\n",
    ";",
    "&&",
    "$(x)",
    "Bash",
    "/../",
    "é",
  ];
  const random = randomFrom(4711);
  const word = () => Array.from({ length: 1 + random(8) }, () => pieces[random(pieces.length)]).join("");
  for (let round = 0; round < 5_000; round += 1) {
    const command = word();
    const other = word();
    // What Claude Code offers is the command itself, or its beginning with a star.
    const rule = { toolName: "Bash", ruleContent: random(2) === 0 ? command : `${command} *` };
    const allowed = { ...state(rule), allowedUses: new Set([useKey(bash(command))]) };
    const [first, second] = [command.trim(), other.trim()];
    const isSame = first === second || `${first} *` === second;
    const isLonger = second.startsWith(`${first} `) && !/[;&|<>$`()\n\r\\]/.test(second);
    if (isAllowedAlways(allowed, bash(other))) expect(isSame || isLonger, JSON.stringify([rule, other])).toBe(true);
  }
  expect(isAllowedAlways(state({ toolName: "Bash", ruleContent: " *" }), bash("rm"))).toBe(false);
});

/** The same numbers every time. */
function randomFrom(seed: number): (below: number) => number {
  let value = seed;
  return (below) => {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((value / 2_147_483_648) * below);
  };
}
