import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AcpPlace, IgnoredSettings } from "../../acp/acp-agent.ts";
import { readRegularText } from "../../files/read-regular-file.ts";
import { exists, repositoryFolders } from "../../files/repository-folders.ts";
import { isReallyInside } from "../../permissions/really-inside.ts";
import { trustsRepository } from "../../permissions/trusts-repository.ts";

/**
 * Over ACP Copilot runs the hooks of every repository, also of one that nobody trusts: when a session begins, and before each
 * tool, which a hook may allow. No option and no setting leaves them out, so there is no session with them.
 */
export async function refuseRepositoryHooks({ session, env }: AcpPlace): Promise<void> {
  if (trustsRepository(session)) return;
  const folders = (await repositoryFolders(session.directory)).map((folder) => join(folder, ".github", "hooks"));
  const files = (await Promise.all(folders.map(jsonFiles))).flat();
  if (files.length === 0 || (await isTrusted(session.directory, env))) return;
  const sentence =
    `GitHub Copilot runs hooks of a repository without asking, and cannot be kept from those in ${files.join(", ")}. ` +
    "Read them and trust the directory in Copilot itself, or remove them, or use permission mode bypass.";
  throw new SandboxError("permission_denied", sentence, { agent: "copilot", sessionId: session.sessionId });
}

/** A language server is a program that a repository names, and that is started with the first use of the tool. */
export async function languageServerArgs(place: AcpPlace): Promise<readonly string[]> {
  return (await untrustedLanguageServers(place)).length === 0 ? [] : ["--excluded-tools=lsp"];
}

export async function ignoredLanguageServers(place: AcpPlace): Promise<IgnoredSettings | undefined> {
  const files = await untrustedLanguageServers(place);
  if (files.length === 0) return undefined;
  return {
    asked: files.map((file) => `the language servers in ${file}`),
    howToTrust: "Trust the directory in Copilot itself, or use permission mode bypass.",
  };
}

async function untrustedLanguageServers({ session, env }: AcpPlace): Promise<string[]> {
  if (trustsRepository(session)) return [];
  const files = (await repositoryFolders(session.directory)).map((folder) => join(folder, ".github", "lsp.json"));
  const found = await Promise.all(files.map(exists));
  const there = files.filter((_, at) => found[at]);
  return there.length === 0 || (await isTrusted(session.directory, env)) ? [] : there;
}

async function jsonFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
}

async function isTrusted(directory: string, env: AcpPlace["env"]): Promise<boolean> {
  const home = env.COPILOT_HOME || join(env.HOME || homedir(), ".copilot");
  const texts = ["settings.json", "config.json"].map((name) => readRegularText(join(home, name)).catch(() => ""));
  const folders = (await Promise.all(texts)).flatMap(trustedFolders);
  return folders.some((folder) => isReallyInside(folder, join(directory, ".github")));
}

function trustedFolders(text: string): string[] {
  try {
    const { trustedFolders, trusted_folders } = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, "")) as {
      trustedFolders?: unknown;
      trusted_folders?: unknown;
    };
    return [trustedFolders, trusted_folders].flat().filter((folder): folder is string => typeof folder === "string");
  } catch {
    return [];
  }
}
