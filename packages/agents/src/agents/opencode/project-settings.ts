import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionConfig } from "../../agent.ts";
import { readRegularText } from "../../files/read-regular-file.ts";
import { isPlanning } from "./modes.ts";

const MAX_INSTRUCTIONS_BYTES = 1024 * 1024;
const settingsFiles = ["opencode.json", "opencode.jsonc"];
const settingsFolder = ".opencode";
/** What OpenCode itself puts into the folder while it plans. */
const ownFiles = new Set(["plans", ".gitignore"]);
/** The first that is there counts. */
const instructionFiles = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];

/**
 * The files of a directory and of its repository from which OpenCode takes settings. Those can allow everything, and start
 * programs (plugins, tools, MCP servers, formatters) as soon as the directory is opened; OpenCode asks nobody about it.
 */
function projectSettings(directory: string, home: string | undefined): string[] {
  return placesOf(directory).flatMap((place) => {
    const files = settingsFiles.map((name) => join(place, name)).filter((file) => existsSync(file));
    const folder = join(place, settingsFolder);
    const isOfUser = place === home;
    return !isOfUser && entriesOf(folder).some((name) => !ownFiles.has(name)) ? [...files, folder] : files;
  });
}

/** For a server that is not to read any of them. */
export const withoutProjectSettings = { OPENCODE_DISABLE_PROJECT_CONFIG: "1" };

/** Those that a session is to do without: they count only where its user lets everything pass. */
export function untrustedSettings(session: SessionConfig, { HOME }: Readonly<Record<string, string>>): string[] {
  const isTrusted = session.permissionMode === "bypass" && !isPlanning(session);
  return isTrusted ? [] : projectSettings(session.directory, HOME);
}

/** What OpenCode reads of instructions where it reads no settings, which is none at all. */
export async function projectInstructions(directory: string): Promise<string | undefined> {
  const places = placesOf(directory);
  const name = instructionFiles.find((candidate) => places.some((place) => existsSync(join(place, candidate))));
  if (name === undefined) return undefined;
  const files = places.map((place) => join(place, name));
  const texts = await Promise.all(files.map((file) => readRegularText(file, MAX_INSTRUCTIONS_BYTES).catch(() => "")));
  return texts.flatMap((text, at) => (text === "" ? [] : [`Instructions from: ${files[at]}\n${text}`])).join("\n\n");
}

/** From the directory up to the root of its repository, or of the disk. */
function placesOf(directory: string): string[] {
  const above = dirname(directory);
  const isRoot = above === directory || existsSync(join(directory, ".git"));
  return isRoot ? [directory] : [directory, ...placesOf(above)];
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not there; or a file, which OpenCode does not read either.
    return [];
  }
}
