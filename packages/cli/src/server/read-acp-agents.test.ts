import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { UsageError } from "../usage-error.ts";
import { readAcpAgents } from "./read-acp-agents.ts";

function file(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "acp-agents-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "agents.json"), text);
  return join(directory, "agents.json");
}

const [one, two] = [
  { id: "one", command: "one" },
  { id: "two", command: "two", env: { A: "b" } },
];

it("reads the file, the environment and the flags, and nothing where there is nothing", async () => {
  const settings = { acpAgents: ["three=/bin/three --acp 'a b'"], acpAgentsFile: file(JSON.stringify([one])) };
  expect(await readAcpAgents(settings, { SANDBOX_AGENT_ACP_AGENTS: JSON.stringify([two]) })).toEqual([
    one,
    two,
    { id: "three", command: "/bin/three", args: ["--acp", "a b"] },
  ]);
  expect(await readAcpAgents({ acpAgents: [], acpAgentsFile: undefined }, { SANDBOX_AGENT_ACP_AGENTS: "" })).toEqual(
    [],
  );
});

it.each([
  [{ acpAgents: ["goose"] }, {}, "--acp-agent must look like id=command"],
  [{ acpAgents: ["=goose"] }, {}, "--acp-agent must look like id=command"],
  [{ acpAgents: ["goose="] }, {}, "--acp-agent must look like id=command"],
  [{ acpAgents: ["goose='goose"] }, {}, "--acp-agent must look like id=command"],
  [{}, { SANDBOX_AGENT_ACP_AGENTS: "goose" }, "SANDBOX_AGENT_ACP_AGENTS is not JSON"],
  [{}, { SANDBOX_AGENT_ACP_AGENTS: "{}" }, "SANDBOX_AGENT_ACP_AGENTS must hold a list of agents"],
  [{ acpAgentsFile: "/nowhere.json" }, {}, "Cannot read /nowhere.json"],
])("refuses %j %j with a sentence about it", async (given, env: Record<string, string>, words) => {
  const reading = readAcpAgents({ acpAgents: [], acpAgentsFile: undefined, ...given }, env);
  await expect(reading).rejects.toThrow(UsageError);
  await expect(reading).rejects.toThrow(words);
});
