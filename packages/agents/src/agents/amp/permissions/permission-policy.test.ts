import { describeToolCall } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { decide, harmlessTools } from "./permission-policy.ts";
import { useKey } from "./permission-requests.ts";
import { permissionRules } from "./permission-rules.ts";

const patchOf = (...lines: string[]) => ({
  tool: "apply_patch",
  input: { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") },
});
const command = { tool: "shell_command", input: { command: "rm -r build" } };

test("in the default mode everything that is asked is a person's to decide", () => {
  expect(decide(command, "default", "/w")).toBe("ask");
  expect(decide(patchOf("*** Add File: a"), "default", "/w")).toBe("ask");
});

test("planning refuses edits with a reason for the model, and asks for the rest", () => {
  expect(decide(patchOf("*** Add File: a"), "plan", "/w")).toEqual({ refuse: expect.stringContaining("only plans") });
  expect(decide({ tool: "create_file", input: { path: "/w/a" } }, "plan", "/w")).toHaveProperty("refuse");
  expect(decide(command, "plan", "/w")).toBe("ask");
});

test.each([
  ["a file of the directory", "*** Add File: src/a.txt", "allow"],
  ["one named from the root", "*** Update File: /w/src/a.txt", "allow"],
  ["one outside", "*** Update File: /etc/hosts", "ask"],
  ["one above", "*** Delete File: ../a.txt", "ask"],
  ["one that would be moved outside", "*** Update File: a.txt\n*** Move to: ../a.txt", "ask"],
  ["Amp's settings", "*** Add File: .amp/settings.json", "ask"],
  ["the directory itself", "*** Update File: /w", "ask"],
  ["nothing that can be read", "+++ a.txt", "ask"],
] as const)("acceptEdits for %s", (_what, line, decision) => {
  expect(decide(patchOf(line), "acceptEdits", "/w")).toBe(decision);
});

test("acceptEdits knows the other tools that edit, and asks for commands", () => {
  expect(decide({ tool: "edit_file", input: { path: "/w/a" } }, "acceptEdits", "/w")).toBe("allow");
  expect(decide({ tool: "create_file", input: { path: "/x/a" } }, "acceptEdits", "/w")).toBe("ask");
  expect(decide(command, "acceptEdits", "/w")).toBe("ask");
});

test("bypass allows", () => expect(decide(command, "bypass", "/w")).toBe("allow"));

test("the user's own rules come first, and where they ask, we do", () => {
  const own = [
    { tool: "shell_command", action: "allow", matches: { command: "git status" } },
    { tool: "apply_patch", action: "ask" },
    { tool: "web_search", action: "reject" },
  ];
  const rules = permissionRules("default", own, "/helper");
  expect(rules.slice(0, 3)).toEqual([own[0], { tool: "apply_patch", action: "delegate", to: "/helper" }, own[2]]);
  expect(rules.at(-1)).toEqual({ tool: "*", action: "delegate", to: "/helper" });
  expect(rules.slice(3, -1)).toEqual(harmlessTools.map((tool) => ({ tool, action: "allow" })));
});

test("while planning nothing counts as allowed that the user once allowed", () => {
  const rules = permissionRules(
    "plan",
    [
      { tool: "*", action: "allow" },
      { tool: "x", action: "reject" },
    ],
    "/helper",
  );
  expect(rules[0]).toEqual({ tool: "x", action: "reject" });
  expect(rules).not.toContainEqual({ tool: "*", action: "allow" });
});

test.each([
  [command, "Run the command rm -r build"],
  [
    patchOf("*** Add File: a", "+x", "*** Update File: b", "*** Delete File: c"),
    "Write the file a, Edit the file b, Delete the file c",
  ],
  [patchOf("nonsense"), "Use apply_patch: *** Begin Patch"],
  [{ tool: "create_file", input: { path: "/w/a" } }, "Write the file /w/a"],
  [{ tool: "edit_file", input: { path: "/w/a" } }, "Edit the file /w/a"],
  [{ tool: "read_web_page", input: { url: "https://example.com" } }, "Fetch https://example.com"],
  [{ tool: "mcp__lamp__light", input: {} }, "Use the tool light of the MCP server lamp"],
  [{ tool: "other", input: {} }, "Use other"],
] as const)("%j is told as %j", (use, sentence) => expect(describeToolCall(use.tool, use.input).title).toBe(sentence));

test("the same use is the same in whatever order its input comes", () => {
  const one = useKey({ tool: "t", input: { a: 1, b: 2 } });
  expect(useKey({ tool: "t", input: { b: 2, a: 1 } })).toBe(one);
  expect(useKey({ tool: "t", input: { a: 1, b: 3 } })).not.toBe(one);
  expect(useKey({ tool: "u", input: { a: 1, b: 2 } })).not.toBe(one);
});
