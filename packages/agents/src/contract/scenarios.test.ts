import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { agentModules } from "../registry.gen.ts";

test.each(Object.keys(agentModules))("%s has a contract scenario and a contract test", (name) => {
  const folder = new URL(`../agents/${name}/`, import.meta.url);
  const files = ["__fixtures__/contract-scenario.ts", `${name}.contract.test.ts`];
  expect(files.filter((file) => !existsSync(new URL(file, folder)))).toEqual([]);
});
