import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { AcpPlace, IgnoredSettings } from "../../acp/acp-agent.ts";
import { readRegularText } from "../../files/read-regular-file.ts";
import { trustsRepository } from "../../permissions/trusts-repository.ts";
import { configFolder } from "./config-folder.ts";

type Env = AcpPlace["env"];

/**
 * Goose runs the hooks and starts the MCP servers of every plugin in the repository, unasked, and notes in the user's config
 * that it did. The list in that config is the only thing that stops it, and a variable of the same name stands above the
 * file. What the list leaves out is taken, so the user's own plugins are in it as well, as the user has set them.
 */
export async function withoutRepositoryPlugins(place: AcpPlace): Promise<Readonly<Record<string, string>>> {
  const brought = await repositoryPlugins(place);
  if (brought.length === 0) return {};
  const config = await readRegularText(join(configFolder(place.env), "config.yaml")).catch(() => "");
  const own = await foldersIn(join(homeOf(place.env), ".agents", "plugins"));
  const really = await Promise.all(brought.map((folder) => realpath(folder).catch(() => folder)));
  const entries = [
    ...own.map((folder) => [folder, { enabled: !isSwitchedOff(config, folder) }]),
    ...[...brought, ...really].map((folder) => [folder, { enabled: false }]),
  ];
  return { PLUGINS: JSON.stringify(Object.fromEntries(entries)) };
}

export async function ignoredPlugins(place: AcpPlace): Promise<IgnoredSettings | undefined> {
  const brought = await repositoryPlugins(place);
  if (brought.length === 0) return undefined;
  return {
    asked: brought.map((folder) => `the plugin ${basename(folder)}`),
    howToTrust: "Put them into ~/.agents/plugins to have them in every directory, or use permission mode bypass.",
  };
}

async function repositoryPlugins({ session }: AcpPlace): Promise<string[]> {
  return trustsRepository(session) ? [] : foldersIn(join(session.directory, ".agents", "plugins"));
}

async function foldersIn(parent: string): Promise<string[]> {
  const paths = (await readdir(parent).catch(() => [])).map((name) => join(parent, name));
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  const found = await Promise.all(paths.map(isFolder));
  return paths.filter((_, at) => found[at]);
}

/** As Goose itself writes it: the path in a line of its own, quoted where YAML wants that, and the switch in the next. */
export function isSwitchedOff(config: string, folder: string): boolean {
  const lines = config.split("\n").map((line) => line.trim());
  const keys = [`${folder}:`, `'${folder.replaceAll("'", "''")}':`, `${JSON.stringify(folder)}:`];
  return lines.some((line, at) => keys.includes(line) && lines[at + 1] === "enabled: false");
}

function homeOf(env: Env): string {
  return env.GOOSE_PATH_ROOT || env.HOME || homedir();
}
