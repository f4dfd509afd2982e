import { lstat, readdir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import {
  AgentProfile,
  type ProfileCommand,
  type ProfileFile,
  type ProfileSkill,
  type ProfileSubagent,
  SandboxError,
} from "@sandbox-agent-ts/protocol";
import { readRegularFile, readRegularText } from "../files/read-regular-file.ts";
import { readHeader } from "../skills/skill-header.ts";

const maxBytes = 16 * 1024 * 1024;
const maxFiles = 2_000;

/**
 * A profile from a file of JSON, or from a directory: `profile.json`, `system-prompt.md`, `AGENTS.md` (or `CLAUDE.md`),
 * `skills/<name>/SKILL.md` with what is beside it, `agents/<name>.md`, `commands/<name>.md` and `workspace/**`, all
 * optional. Links are not followed. Throws a `SandboxError` that says what is wrong.
 */
export async function readProfile(path: string): Promise<AgentProfile> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) return checked(path, await readJson(path));
  const files = await filesIn(path);
  const inFolder = (folder: string) => files.filter((file) => file.startsWith(`${folder}/`));
  const text = async (...names: string[]) => {
    const name = names.find((candidate) => files.includes(candidate));
    return name === undefined ? undefined : readRegularText(join(path, name));
  };
  const settings = files.includes("profile.json") ? ((await readJson(join(path, "profile.json"))) as object) : {};
  const systemPrompt = await text("system-prompt.md");
  const instructions = await text("AGENTS.md", "CLAUDE.md");
  return checked(path, {
    ...settings,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(await section(settings, "skills", () => readSkills(path, inFolder("skills")))),
    ...(await section(settings, "subagents", () => readEach(path, inFolder("agents"), subagentOf))),
    ...(await section(settings, "commands", () => readEach(path, inFolder("commands"), commandOf))),
    ...(await section(settings, "files", () => readFiles(path, inFolder("workspace"), "workspace"))),
  });
}

/** What `profile.json` says, with what the folders have. */
async function section<T>(settings: object, name: string, read: () => Promise<Record<string, T>>): Promise<object> {
  const known = (settings as Record<string, object | undefined>)[name];
  const found = await read();
  return known === undefined && Object.keys(found).length === 0 ? {} : { [name]: { ...known, ...found } };
}

async function readSkills(root: string, files: readonly string[]): Promise<Record<string, ProfileSkill>> {
  const names = [...new Set(files.flatMap((file) => (file.split("/").length > 2 ? [file.split("/")[1]!] : [])))];
  const skills = names.map(async (name) => {
    const own = files.filter((file) => file.startsWith(`skills/${name}/`));
    return [name, { files: await readFiles(root, own, `skills/${name}`) }] as const;
  });
  return Object.fromEntries(await Promise.all(skills));
}

async function readEach<T>(
  root: string,
  files: readonly string[],
  read: (name: string, text: string) => T,
): Promise<Record<string, T>> {
  const named = files.filter((file) => file.endsWith(".md") && file.split("/").length === 2);
  const entries = named.map(async (file) => {
    const name = basename(file, ".md");
    return [name, read(name, await readRegularText(join(root, file)))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function subagentOf(name: string, text: string): ProfileSubagent {
  const { field, body } = readHeader(text);
  const tools = listOf(field("tools"));
  const model = field("model");
  return {
    description: field("description") || name,
    prompt: body,
    ...(tools.length === 0 ? {} : { tools }),
    ...(model ? { model } : {}),
  };
}

function commandOf(_name: string, text: string): ProfileCommand {
  const { field, body } = readHeader(text);
  const description = field("description");
  return { prompt: body, ...(description ? { description } : {}) };
}

/** `a, b`, `[a, "b"]`, or a list of lines. */
function listOf(text: string): string[] {
  const items = text.replace(/^\[(.*)\]$/s, "$1").split(/,|\s-\s|^-\s/);
  return items.map((item) => item.trim().replace(/^(["'])(.*)\1$/, "$2")).filter(Boolean);
}

async function readFiles(root: string, files: readonly string[], folder: string): Promise<Record<string, ProfileFile>> {
  const entries = files.map(async (file) => {
    return [file.slice(folder.length + 1), await readFile(join(root, file))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function readFile(path: string): Promise<ProfileFile> {
  const [bytes, { mode }] = await Promise.all([readRegularFile(path, maxBytes), lstat(path)]);
  const text = bytes.toString("utf8");
  const isText = Buffer.from(text).equals(bytes);
  const executable = (mode & 0o111) !== 0;
  if (isText && !executable) return text;
  const content = isText ? { content: text } : { content: bytes.toString("base64"), encoding: "base64" as const };
  return { ...content, ...(executable ? { executable } : {}) };
}

/** Relative, with slashes, in order; bounded before anything is read. */
async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = paths.filter((path) => !relative(root, path).split(sep).includes(".git"));
  const sizes = await Promise.all(own.map(async (path) => (await lstat(path)).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (own.length > maxFiles || bytes > maxBytes) {
    const sentence = `The profile ${root} has ${own.length} files with ${bytes} bytes; at most ${maxFiles} and ${maxBytes} are taken.`;
    throw new SandboxError("payload_too_large", sentence);
  }
  return own.map((path) => relative(root, path).split(sep).join("/")).sort();
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readRegularText(path));
  } catch (cause) {
    throw new SandboxError("invalid_request", `The profile ${path} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function checked(path: string, value: unknown): AgentProfile {
  const { data, error } = AgentProfile.safeParse(value);
  if (data) return data;
  const issues = error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new SandboxError("invalid_request", `The profile ${path} is not one: ${issues.slice(0, 5).join("; ")}.`);
}
