/** Feared: a list of agents that waits for a network that does not answer, or asks it again and again. */
import { expect, test } from "vitest";
import { installableAgent } from "../__fixtures__/installable-agent.ts";
import { NewestVersions } from "./newest-versions.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };

async function worldOf(patienceMs?: number) {
  const { agent, env, registry } = await installableAgent(["1.0.0", "2.0.0"]);
  return { programs: [agent.program!], registry, newest: new NewestVersions(env, log, patienceMs) };
}

test("the newest version is asked for once, for all who want to know", async () => {
  const { programs, registry, newest } = await worldOf();
  const answers = await Promise.all([newest.of(programs), newest.of(programs)]);
  expect(answers.map((answer) => answer.get("installable"))).toEqual(["2.0.0", "2.0.0"]);
  await newest.of(programs);
  expect(registry.requests).toHaveLength(1);
});

test("one that is not found out is left out, and asked for again", async () => {
  const { programs, registry, newest } = await worldOf();
  registry.intercept = (_request, response) => {
    response.writeHead(404).end();
    return true;
  };
  expect(await newest.of(programs)).toEqual(new Map());
  registry.intercept = undefined;
  expect(await newest.of(programs)).toEqual(new Map([["installable", "2.0.0"]]));
});

test("nobody waits for long, and what comes late is there for the next one", async () => {
  const { programs, registry, newest } = await worldOf(0);
  const asked = new Promise<void>((resolve) => {
    registry.intercept = () => {
      resolve();
      return undefined;
    };
  });
  expect(await newest.of(programs)).toEqual(new Map());
  await asked;
  await expect.poll(async () => (await newest.of(programs)).get("installable")).toBe("2.0.0");
});
