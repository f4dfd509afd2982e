import { createHash } from "node:crypto";
import { mkdir, readdir, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AcpPlace } from "../../../acp/acp-agent.ts";
import type { SessionConfig } from "../../../agent.ts";
import { readRegularText } from "../../../files/read-regular-file.ts";
import { sessionFolder } from "../../../files/session-folders.ts";
import { nativeHooks } from "../../../hooks/native-hooks.ts";
import { parseSettings, type Settings, settingsIn } from "../../../settings/json-settings.ts";
import { linkSkills } from "../../../skills/link-skills.ts";
import { prepareSkills, type Skill } from "../../../skills/prepare-skills.ts";
import { writeSubagents } from "../../../subagents/write-subagents.ts";
import { availableAuth } from "../credentials.ts";
import { geminiDirectory, userHome } from "./gemini-directory.ts";
import { settingsFor } from "./settings.ts";

/** Only the owner may look: settings can hold secrets. */
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;

/** What the program keeps of conversations; it stays the user's own, so that both find the same ones. */
const conversations = ["tmp", "history"];
/** What stands in our home itself. */
const own = new Set(["settings.json", "GEMINI.md", "skills", "projects.json", "projects.json.lock"]);

/** As Gemini CLI calls the events at which hooks run; those of tools and of the start it does not run over ACP. */
const hookNames = {
  userPrompt: "BeforeAgent",
  turnEnd: "AfterAgent",
  sessionEnd: "SessionEnd",
} as const;

interface HomeContents {
  readonly settings: string;
  readonly memory: string;
  readonly skills: readonly Skill[];
  readonly subagents: SessionConfig["subagents"];
}

/** Homes that are being made; sessions that are alike share one. */
const making = new Map<string, Promise<void>>();

/**
 * A home for the program that looks like the user's, with settings, memory and skills for this session: it can be told none
 * of them in another way, and what the user has written is left as it is. Everything else are links to the user's own.
 */
export async function prepareHome({ env, host, session }: AcpPlace): Promise<Readonly<Record<string, string>>> {
  const theirs = geminiDirectory(env);
  const settings = settingsFor(await readSettings(theirs), await availableAuth(env));
  const contents: HomeContents = {
    settings: JSON.stringify(withHooks(settings, session), null, 2),
    memory: await memoryText(theirs, session.systemPrompt),
    skills: distinct([...(await userSkills(theirs)), ...(await prepareSkills(host, session))]),
    subagents: session.subagents,
  };
  const home = hasOwn(session)
    ? join(sessionFolder(host.dataDir, session.sessionId), `home-${digest([userHome(env)])}`)
    : join(host.dataDir, `home-${digest([userHome(env), contents])}`);
  const made = (making.get(home) ?? Promise.resolve()).catch(() => {}).then(() => makeHome(home, env, contents));
  making.set(home, made);
  await made.finally(() => making.get(home) === made && making.delete(home));
  return { GEMINI_CLI_HOME: home };
}

/** May be in use already: nothing is missing at any time. */
async function makeHome(home: string, env: AcpPlace["env"], contents: HomeContents): Promise<void> {
  const { settings, memory, skills, subagents } = contents;
  const theirs = geminiDirectory(env);
  const ours = join(home, ".gemini");
  await mkdir(ours, { recursive: true, mode: PRIVATE_DIRECTORY });
  await Promise.all(conversations.map((name) => mkdir(join(theirs, name), { recursive: true })));
  const shared = (await readdir(theirs)).filter((name) => !own.has(name) && !(subagents && name === "agents"));
  await Promise.all(shared.map((name) => link(join(theirs, name), join(ours, name))));
  await Promise.all([".agents", ".env"].map((name) => link(join(userHome(env), name), join(home, name))));
  await replaceFile(join(ours, "settings.json"), settings);
  await replaceFile(join(ours, "GEMINI.md"), memory);
  await makeSkills(skills, join(ours, "skills"));
  if (subagents) await makeSubagents(subagents, join(theirs, "agents"), join(ours, "agents"));
}

/** What a session is given is gone with it. */
function hasOwn({ systemPrompt, skills, subagents, hooks }: SessionConfig): boolean {
  return [systemPrompt, skills, subagents, hooks].some((given) => given !== undefined);
}

function withHooks(settings: Settings, { hooks }: SessionConfig): Settings {
  if (!hooks) return settings;
  const native = Object.entries(nativeHooks(hooks, hookNames, 1));
  const known = settingsIn(settings, "hooks");
  const merged = native.map(([name, matchers]) => [name, [...listOf(known[name]), ...matchers]]);
  return { ...settings, hooks: { ...known, ...Object.fromEntries(merged) } };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Beside those of the user. */
async function makeSubagents(
  subagents: NonNullable<SessionConfig["subagents"]>,
  theirs: string,
  directory: string,
): Promise<void> {
  await writeSubagents(subagents, { directory, extension: ".md", fields: ["tools", "model"] });
  for (const name of await readdir(theirs).catch(() => [])) {
    await symlink(join(theirs, name), join(directory, name)).catch(() => {});
  }
}

async function readSettings(directory: string): Promise<Settings> {
  const file = join(directory, "settings.json");
  const text = await readRegularText(file).catch(() => "");
  try {
    return parseSettings(text);
  } catch (cause) {
    const sentence = `Gemini CLI's settings cannot be read. Correct ${file}.`;
    throw new SandboxError("invalid_request", sentence, { agent: "gemini", cause });
  }
}

async function memoryText(directory: string, systemPrompt: string | undefined): Promise<string> {
  const known = await readRegularText(join(directory, "GEMINI.md")).catch(() => "");
  return [known.trimEnd(), systemPrompt ?? ""].filter((text) => text !== "").join("\n\n");
}

async function userSkills(directory: string): Promise<Skill[]> {
  const root = join(directory, "skills");
  const names = await readdir(root).catch(() => []);
  return names.map((name) => {
    const folder = join(root, name);
    return { name, folder, description: "", file: join(folder, "SKILL.md") };
  });
}

/** Of two with one name, the later: the session's. */
function distinct(skills: readonly Skill[]): Skill[] {
  return [...new Map(skills.map((skill) => [skill.name, skill])).values()];
}

async function makeSkills(skills: readonly Skill[], directory: string): Promise<void> {
  const draft = `${directory}.new`;
  await linkSkills(skills, draft);
  await rename(draft, directory).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    await rm(draft, { recursive: true });
  });
}

async function link(original: string, path: string): Promise<void> {
  if ((await readlink(path).catch(() => undefined)) === original) return;
  await rm(path, { recursive: true, force: true });
  await symlink(original, path);
}

async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: PRIVATE_FILE });
  await rename(`${path}.new`, path);
}

function digest(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
