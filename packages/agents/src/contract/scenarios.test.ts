import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agentModules } from "../registry.gen.ts";

/** An adapter of somebody else over the program of an agent that has its own folder, and the suite in it. */
function isSecondWay(folder: URL): boolean {
  const files = ["index.ts", "program.ts"].map((file) => new URL(file, folder)).filter((file) => existsSync(file));
  return files.some((file) => /from "\.\.\/[\w-]+\/program\.ts"/.test(readFileSync(file, "utf8")));
}

test.each(Object.keys(agentModules))("%s has a contract scenario and a contract test, or is a second way", (name) => {
  const folder = new URL(`../agents/${name}/`, import.meta.url);
  const whole = ["__fixtures__/contract-scenario.ts", `${name}.contract.test.ts`];
  const files = isSecondWay(folder) ? [`${name}.e2e.test.ts`] : whole;
  expect(files.filter((file) => !existsSync(new URL(file, folder)))).toEqual([]);
});
