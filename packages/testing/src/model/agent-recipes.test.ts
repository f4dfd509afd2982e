import { expect, test } from "vitest";
import { agentRecipes } from "./agent-recipes.ts";

test("every agent is pointed at the model, and at nothing else", () => {
  for (const { agent, env, command } of agentRecipes("http://127.0.0.1:4010")) {
    const urls = JSON.stringify([env, command]).match(/https?:[^\s"\\]+/g);
    expect(urls, agent).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:4010(\/v1)?$/)]);
  }
});
