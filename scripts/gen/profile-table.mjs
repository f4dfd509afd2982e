import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadAgents } from "./agents-under-contract.mjs";
import { importSource } from "./import-source.mjs";
import { code, Reasons, table } from "./markdown.mjs";
import { root } from "./root.mjs";

const path = "docs/profiles.mdx";
const begin = "{/* Made by `npm run gen` from the agents and their contract scenarios. Do not edit. */}\n";
const end = "{/* Until here. */}\n";

const rows = {
  systemPrompt: "system prompt",
  instructions: "instructions (`AGENTS.md`, `CLAUDE.md`)",
  skills: "skills with the files beside them",
  subagents: "subagents",
  commands: "commands",
  mcp: "MCP servers",
  hooks: "hooks",
  env: "environment",
  secrets: "secrets",
  files: "workspace files",
};

/** Of each part of a profile and each agent: whether its contract scenario shows it, or else what the loss report says. */
export async function outputs() {
  const [{ profileEntities }, { profileLosses }, { profileFeatures }, { profileWithEverything }, agents] =
    await Promise.all([
      importSource("packages/protocol/src/profile-entities.ts"),
      importSource("packages/agents/src/profile/profile-losses.ts"),
      importSource("packages/agents/src/contract/profile-features.ts"),
      importSource("packages/agents/src/contract/profile-fixture.ts"),
      loadAgents(),
    ]);
  const subagents = { one: { description: "x", prompt: "x", tools: ["x"], model: "x" } };
  const everything = { ...profileWithEverything("/nowhere"), subagents };
  const reasons = new Reasons();
  const lines = profileEntities.map((entity) => [
    rows[entity] ?? code(entity),
    ...agents.map(({ adapter, provoke }) => {
      const isShown = !("skip" in provoke[profileFeatures[entity]]);
      const losses = profileLosses(adapter, everything).filter((loss) => loss.entity === entity);
      return cellOf(`${entity} × ${adapter.id}`, isShown, losses, reasons);
    }),
  ]);
  const head = ["part", ...agents.map(({ adapter }) => adapter.displayName)];
  const text = await readFile(join(root, path), "utf8");
  const [before, rest] = text.split(begin);
  const [, after] = (rest ?? "").split(end);
  if (after === undefined) throw new Error(`${path} has no place for the table of profiles.`);
  return [{ path, text: `${before}${begin}\n${table(head, lines)}${reasons.list()}\n${end}${after}` }];
}

/** Throws where the scenario does not show a part that is not told as lost either, or shows one that is. */
export function cellOf(place, isShown, losses, reasons) {
  const isLost = losses.some(({ name }) => !name);
  if (isShown === isLost)
    throw new Error(`${place} is ${isShown ? "both shown and" : "neither shown nor"} told as lost.`);
  const cell = isLost ? "told as lost" : "seen";
  const told = losses.length === 0 ? "" : ` ${reasons.number(...losses.map(({ reason }) => reason))}`;
  return `${cell}${told}`;
}
