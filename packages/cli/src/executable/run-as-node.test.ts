import { expect, test } from "vitest";
import { isCalledNode, splitArguments } from "./run-as-node.ts";

test.each([
  ["node", true],
  ["/data/programs/.node/node", true],
  ["NODE.EXE", true],
  ["sandbox-agent", false],
  ["/home/node/sandbox-agent", false],
  ["./nodejs", false],
])("called %s it is a Node: %s", (argv0, expected) => {
  expect(isCalledNode(argv0)).toBe(expected);
});

test.each([
  [["a.js", "--x", "-e"], { options: [], rest: ["a.js", "--x", "-e"] }],
  [["--max-old-space-size=99", "a.js"], { options: ["--max-old-space-size=99"], rest: ["a.js"] }],
  [["--import", "./b.js", "-r", "c", "a.js"], { options: ["--import", "./b.js", "-r", "c"], rest: ["a.js"] }],
  [["-e", "1 + 1", "x"], { options: [], code: "1 + 1", rest: ["x"] }],
  [["--no-warnings", "--eval", ""], { options: ["--no-warnings"], code: "", rest: [] }],
  [["--", "-a.js"], { options: [], rest: ["-a.js"] }],
  [[], { options: [], rest: [] }],
])("the arguments %j", (args, expected) => {
  expect(splitArguments(args)).toEqual(expected);
});
