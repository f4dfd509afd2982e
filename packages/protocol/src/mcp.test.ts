import { expect, test } from "vitest";
import { McpServerRequest } from "./mcp.ts";

const local = { type: "local", env: { A: "1" } } as const;

test.each([
  [
    { ...local, command: "npx", args: ["x"] },
    { command: "npx", args: ["x"] },
  ],
  [
    { ...local, command: ["npx", "-y", "x"] },
    { command: "npx", args: ["-y", "x"] },
  ],
  [
    { ...local, command: ["npx", "-y"], args: ["x"] },
    { command: "npx", args: ["-y", "x"] },
  ],
])("a command may be an array: %j", (given, expected) => {
  expect(McpServerRequest.parse(given)).toEqual({ ...local, ...expected });
});

test.each([[], [""], [1], ""])("the command %j is refused", (command) => {
  expect(McpServerRequest.safeParse({ ...local, command }).success).toBe(false);
});
