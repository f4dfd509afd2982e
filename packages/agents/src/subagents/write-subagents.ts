import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProfileSubagent } from "@sandbox-agent-ts/protocol";

export interface SubagentFiles {
  readonly directory: string;
  /** What follows the name, e.g. `.md`. */
  readonly extension: string;
  /** The fields besides name and description that the program reads. */
  readonly fields: readonly ("tools" | "model")[];
}

/** Subagents as files of Markdown with a header, as several programs read them; whatever was in the folder is gone. */
export async function writeSubagents(
  subagents: Readonly<Record<string, ProfileSubagent>>,
  { directory, extension, fields }: SubagentFiles,
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const files = Object.entries(subagents).map(([name, subagent]) =>
    writeFile(join(directory, `${name}${extension}`), subagentText(name, subagent, fields)),
  );
  await Promise.all(files);
}

/** What is JSON is YAML. */
function subagentText(name: string, subagent: ProfileSubagent, fields: SubagentFiles["fields"]): string {
  const header = { name, description: subagent.description };
  const more = fields.flatMap((field) => (subagent[field] ? [[field, subagent[field]] as const] : []));
  const lines = [...Object.entries(header), ...more].map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n${subagent.prompt}\n`;
}
