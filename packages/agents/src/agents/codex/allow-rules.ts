import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../../agent.ts";
import { codexHome } from "./credentials.ts";

type Env = Readonly<Record<string, string>>;

/**
 * Codex runs what its own rules allow outside of every sandbox and without asking, also while it plans, and its server has no
 * way to leave them out. So nobody plans while there are such rules.
 */
export async function refuseAllowRules({ directory }: SessionConfig, env: Env): Promise<void> {
  const home = codexHome(env);
  const config = await readFile(join(home, "config.toml"), "utf8").catch(() => "");
  const trusted = ancestors(directory).filter((folder) => isTrusted(config, folder));
  const folders = [home, ...trusted.map((folder) => join(folder, ".codex"))].map((folder) => join(folder, "rules"));
  const found = (await Promise.all(folders.map(allowingFiles))).flat();
  if (found.length === 0) return;
  const sentence =
    `Codex runs commands that its rules allow also in plan mode, and there are such rules in ${found.join(", ")}. ` +
    "Remove them or put them elsewhere to plan, or use another permission mode.";
  throw new SandboxError("permission_denied", sentence, { agent: "codex" });
}

async function allowingFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".rules"));
  const files = names.map((name) => join(folder, name));
  const allowing = await Promise.all(files.map(async (file) => allows(await readFile(file, "utf8").catch(() => ""))));
  return files.filter((_, at) => allowing[at]);
}

/** A rule that does not say what it decides allows. */
export function allows(rules: string): boolean {
  const [, ...calls] = rules.replaceAll(/^\s*#.*$/gm, "").split(/\bprefix_rule\s*\(/);
  return calls.some((call) => !/\bdecision\s*=\s*(["'])(?:prompt|forbidden)\1/.test(call));
}

function isTrusted(config: string, folder: string): boolean {
  const [, table = ""] = config.split(`[projects.${JSON.stringify(folder)}]`);
  return /^\s*trust_level\s*=\s*"trusted"/m.test(table.split(/^\[/m)[0]!);
}

function ancestors(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...ancestors(above)];
}
