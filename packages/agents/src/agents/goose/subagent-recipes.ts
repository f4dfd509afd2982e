import { mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { sessionFolder } from "../../files/session-folders.ts";

/** The session's subagents as recipes, which Goose looks for in the folders of a variable and delegates tasks to by name. */
export async function subagentRecipes({ host, session, env }: AcpPlace): Promise<Readonly<Record<string, string>>> {
  const { subagents } = session;
  if (!subagents) return {};
  const folder = join(sessionFolder(host.dataDir, session.sessionId), "recipes");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const recipes = Object.entries(subagents).map(([name, { description, prompt, model }]) => {
    const settings = model ? { settings: { goose_model: model } } : {};
    const recipe = { version: "1.0.0", title: name, description, instructions: prompt, ...settings };
    return writeFile(join(folder, `${name}.json`), JSON.stringify(recipe));
  });
  await Promise.all(recipes);
  return { GOOSE_RECIPE_PATH: [env.GOOSE_RECIPE_PATH, folder].filter(Boolean).join(delimiter) };
}
