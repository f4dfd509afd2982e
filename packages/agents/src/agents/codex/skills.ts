import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { SandboxError, type SkillsConfig } from "@sandbox-agent/protocol";
import type { SessionConfig } from "../../agent.ts";

interface Skill {
  readonly name: string;
  readonly description: string;
  readonly file: string;
}

/** What a session tells its agent besides the messages: the system prompt, and which skills there are. */
export async function sessionInstructions(session: SessionConfig): Promise<string | undefined> {
  const skills = await findSkills(session.skills, session.directory);
  const lines = skills.map(({ name, description, file }) => `- ${name}: ${description} (file: ${file})`);
  const list = `## Skills of this session\nRead the file of a skill before you use it.\n${lines.join("\n")}`;
  const parts = [...(session.systemPrompt ? [session.systemPrompt] : []), ...(lines.length > 0 ? [list] : [])];
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

async function findSkills(config: SkillsConfig | undefined, directory: string): Promise<Skill[]> {
  const found = await Promise.all((config?.sources ?? []).map((source) => skillsOf(source, directory)));
  return found.flat();
}

/** A folder that is a skill, or a folder of such folders. */
async function skillsOf(source: SkillsConfig["sources"][number], directory: string): Promise<Skill[]> {
  if (source.type !== "local") {
    const message = `Codex sessions take skills from local folders only. Fetch ${source.source} and name its folder.`;
    throw new SandboxError("invalid_request", message, { agent: "codex" });
  }
  const root = resolve(directory, source.source, source.subpath ?? ".");
  const own = await readSkill(root);
  if (own) return [own];
  const names = await readdir(root).catch((cause: unknown) => {
    const message = `The skills folder ${root} cannot be read. Correct the source of the session's skills.`;
    throw new SandboxError("invalid_request", message, { agent: "codex", cause });
  });
  const wanted = names.filter((name) => source.skills?.includes(name) ?? true).sort();
  return (await Promise.all(wanted.map((name) => readSkill(join(root, name))))).flatMap((skill) => skill ?? []);
}

async function readSkill(folder: string): Promise<Skill | undefined> {
  const file = join(folder, "SKILL.md");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const header = /^---\r?\n(.*?)\r?\n---/s.exec(text)?.[1] ?? "";
  const field = (name: string) => new RegExp(`^${name}:\\s*["']?(.*?)["']?\\s*$`, "m").exec(header)?.[1];
  return { name: field("name") ?? folder, description: field("description") ?? "", file };
}
