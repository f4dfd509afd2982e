import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveBinary } from "./resolve-binary.ts";

test("the given program wins over the environment's", () => {
  expect(resolveBinary("/opt/mine", { SANDBOX_AGENT_BIN: "/opt/other" })).toEqual({ command: "/opt/mine", args: [] });
  expect(resolveBinary(undefined, { SANDBOX_AGENT_BIN: "/opt/other" })).toEqual({ command: "/opt/other", args: [] });
});

test.each(["cli.js", "cli.mjs", "cli.cjs"])("%s is run by this Node", (file) => {
  expect(resolveBinary(file, {})).toEqual({ command: process.execPath, args: [file] });
});

test("without both it is the command line's package", () => {
  const { command, args } = resolveBinary(undefined, {});
  expect(command).toBe(process.execPath);
  expect(args[0]).toMatch(join("@sandbox-agent", "cli", "bin", "sandbox-agent.cjs"));
});
