import { existsSync, readdirSync, readFileSync } from "node:fs";
import { importSource } from "../../../scripts/gen/import-source.mjs";
import { inRoot } from "../../../scripts/root.mjs";
import { readSources } from "./agent-sources.mjs";
import * as acp from "./extract/acp.mjs";
import * as amp from "./extract/amp.mjs";
import * as claude from "./extract/claude.mjs";
import * as codex from "./extract/codex.mjs";
import * as opencode from "./extract/opencode.mjs";

/** By the name of the schema; an agent without a schema of its own speaks ACP. */
export const extractors = { acp, amp, claude, codex, opencode };

const agentsFolder = "packages/agents/src/agents";
const acpFolder = "packages/agents/src/acp";
const recordingsFolder = (id) => `${agentsFolder}/${id}/__fixtures__/recordings`;

const acpVersion = () =>
  JSON.parse(readFileSync(inRoot("packages/agents/package.json"), "utf8")).devDependencies[acp.packageName];

/** The agents that have a program of their own, and what we know of them without starting anything. */
export async function loadAgents() {
  const ids = readdirSync(inRoot(agentsFolder)).filter((id) => existsSync(inRoot(`${agentsFolder}/${id}/program.ts`)));
  return Promise.all(ids.sort().map(loadAgent));
}

async function loadAgent(id) {
  const { program } = await importSource(`${agentsFolder}/${id}/program.ts`);
  const schema = Object.hasOwn(extractors, id) ? id : "acp";
  const folders = [`${agentsFolder}/${id}`, ...(schema === "acp" ? [acpFolder] : [])];
  return {
    id,
    program,
    schema,
    recordings: [inRoot(recordingsFolder(id))].find(existsSync),
    suite: ["contract", "e2e"]
      .map((kind) => `${agentsFolder}/${id}/${id}.${kind}.test.ts`)
      .find((file) => existsSync(inRoot(file))),
    sources: readSources(folders),
  };
}

/** The protocol that several agents speak, as if it were one of them. */
export const acpProtocol = () => ({
  id: "acp",
  packageName: acp.packageName,
  program: { name: "acp", version: acpVersion() },
  schema: "acp",
  sources: readSources([acpFolder]),
});
