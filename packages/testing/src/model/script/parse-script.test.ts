import { SandboxError } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { parseScript } from "./parse-script.ts";

function complaint(script: unknown): string {
  try {
    parseScript(script);
  } catch (error) {
    expect(error).toBeInstanceOf(SandboxError);
    return (error as Error).message;
  }
  throw new Error("the script was accepted");
}

describe("a script", () => {
  test("may be a list of steps", () => {
    expect(parseScript([{ text: "a" }])).toEqual({ steps: [{ text: "a" }] });
  });

  test("gives a tool call without input an empty one", () => {
    expect(parseScript([{ toolCalls: [{ name: "ls" }] }]).steps?.[0]?.toolCalls).toEqual([{ name: "ls", input: {} }]);
  });

  test("survives a trip through JSON", () => {
    const script = {
      conversations: [{ when: { prompt: { regex: "a.c", flags: "i" } }, steps: [{ text: ["a", "b"] }] }],
    };
    expect(parseScript(JSON.parse(JSON.stringify(script)))).toEqual(script);
  });
});

describe("what is wrong is said with its place", () => {
  test.each([
    ["an unknown field of a step", [{ text: "a" }, { txet: "b" }], '[1]: Unrecognized key: "txet"'],
    ["a wrong type", [{ text: 1 }], "[0].text: Invalid input: expected string"],
    [
      "deep inside",
      { conversations: [{ steps: [{ toolCalls: [{}] }] }] },
      "conversations[0].steps[0].toolCalls[0].name",
    ],
    ["an unknown stop reason", [{ stopReason: "bored" }], "[0].stopReason: Invalid option"],
    ["a status that is no error", [{ error: { status: 200 } }], "[0].error.status: Too small"],
    ["a broken expression", [{ expect: { text: { regex: "(" } } }], "is not a valid regular expression"],
    ["a misspelt delay", [{ delayMs: { frist: 1 } }], '[0].delayMs: Unrecognized key: "frist"'],
    ["an empty list", [], "script: Too small"],
    ["nothing to say at all", {}, "script: needs `steps`, `conversations` or a `fallback`"],
    ["something else altogether", "hello", "script: Invalid input"],
  ])("%s", (_name, script, expected) => {
    expect(complaint(script)).toContain(expected);
  });
});
