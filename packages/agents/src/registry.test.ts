import { readdir, readFile } from "node:fs/promises";
import { posix } from "node:path";
import { AgentCapabilities } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { agentModules } from "./registry.gen.ts";
import { loadAgents } from "./registry.ts";

test("every folder in agents/ is an agent, and nothing else is", async () => {
  const entries = await readdir(new URL("./agents/", import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(Object.keys(agentModules).sort()).toEqual(folders.sort());
});

test("an agent has the name of its folder", async () => {
  const agents = await loadAgents();
  expect(agents.map(({ id }) => id)).toEqual(Object.keys(agentModules));
});

test("an agent says yes or no to each capability, and to no other", async () => {
  for (const { id, capabilities } of await loadAgents()) {
    expect(AgentCapabilities.strict().safeParse(capabilities).error, id).toBeUndefined();
  }
});

test("of another agent's folder an agent takes its program, its credentials and what it knows of settings, and nothing else", async () => {
  const folder = new URL("./agents/", import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.ts$/.test(file) && !isTest(file));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
  const taken = files.flatMap((file, at) => foreignImports(file, texts[at]!));
  expect(taken.filter((path) => !/^[\w-]+\/(program|credentials|project-settings)\.ts$/.test(path))).toEqual([]);
});

const isTest = (file: string) => /\.test\.ts$|__fixtures__/.test(file);

/** What a file in `agents/` imports from the folder of another agent, as paths in `agents/`. */
function foreignImports(file: string, text: string): string[] {
  const specifiers = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, specifier]) => specifier!);
  const paths = specifiers.map((specifier) => posix.join(posix.dirname(file), specifier));
  return paths.filter((path) => !path.startsWith("..") && path.split("/")[0] !== file.split("/")[0]);
}
