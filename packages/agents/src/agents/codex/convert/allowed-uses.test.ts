import { expect, test } from "vitest";
import { usesOf } from "./allowed-uses.ts";

const command = { tool: "exec_command", command: "make", cwd: "/work" };

test("another command, the same elsewhere, another tool are other uses", () => {
  const uses = [
    command,
    { ...command, command: "make all" },
    { ...command, cwd: "/" },
    { tool: "mcp__a__make" },
    { tool: "mcp__b__make" },
    { tool: "request_permissions", permissions: { network: true } },
    { tool: "request_permissions", permissions: { network: false } },
  ].flatMap(usesOf);
  expect(new Set(uses).size).toBe(uses.length);
});

test("why it is asked, and with which input, makes no difference", () => {
  expect(usesOf({ ...command, reason: "because" } as object)).toEqual(usesOf(command));
  expect(usesOf({ tool: "mcp__a__make", input: { n: 1 } } as object)).toEqual(usesOf({ tool: "mcp__a__make" }));
});

test("each file is a use of its own", () => {
  expect(usesOf({ tool: "apply_patch", files: ["/a", "/b"] })).toHaveLength(2);
});
