import { expect, test } from "vitest";
import { EnvironmentVariables } from "./environment.ts";

test.each([{}, { A: "" }, { "npm_config_//x/:_a-b": "1=2\n" }])("%j is an environment", (env) => {
  expect(EnvironmentVariables.parse(env)).toEqual(env);
});

test.each([
  { "": "secret" },
  { "A=B": "secret" },
  { "A\0": "secret" },
  { A: "secret\0" },
  { SANDBOX_AGENT_PROCESS: "secret" },
])("%j is none, and its value is not told", (env) => {
  const { error } = EnvironmentVariables.safeParse(env);
  expect(error?.issues).toHaveLength(1);
  expect(JSON.stringify(error?.issues)).not.toContain("secret");
});
