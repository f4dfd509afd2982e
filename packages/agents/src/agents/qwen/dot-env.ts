import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { readRegularText } from "../../files/read-regular-file.ts";

/** Folders whose files are not the user's own: the session's directory and those above it, up to the home. */
export function foldersAround({ env, session }: Pick<AcpPlace, "env" | "session">): string[] {
  const home = env.HOME || homedir();
  const folders: string[] = [];
  for (let folder = session.directory; folder !== home; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) break;
  }
  return folders;
}

/** The variables that files named `.env` there would set for the program and all its commands. */
export async function namesInDotEnv(place: Pick<AcpPlace, "env" | "session">): Promise<string[]> {
  const files = foldersAround(place).map((folder) => join(folder, ".env"));
  const texts = await Promise.all(files.map((file) => readRegularText(file).catch(() => "")));
  return [...new Set(texts.flatMap(namesIn))];
}

function namesIn(text: string): string[] {
  return Array.from(text.matchAll(/^[^\S\r\n]*(?:export\s+)?([\w.-]+)\s*[=:]/gm), ([, name]) => name!);
}
