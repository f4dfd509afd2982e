import { z } from "zod";
import { EnvironmentVariables } from "./environment.ts";
import { McpServerRequest } from "./mcp.ts";
import { hookEvents, profileEntities } from "./profile-entities.ts";

/** How much a profile may hold, as JSON in UTF-8. */
const maxProfileBytes = 16 * 1024 * 1024;
const maxEntries = 200;
const maxFiles = 2_000;

export const ProfileEntity = z.enum(profileEntities).meta({ id: "ProfileEntity" });
export type ProfileEntity = z.infer<typeof ProfileEntity>;

const name = z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, "has 1 to 64 letters, digits or any of _ . -");

const path = z
  .string()
  .max(1000)
  .refine(isRelativePath, "is a path inside of the folder: no leading /, no . or .., no backslash");

/** Not absolute, and nowhere upwards. */
function isRelativePath(text: string): boolean {
  const odd = ["", ".", ".."];
  return !/[\\\0]/.test(text) && text.split("/").every((part) => !odd.includes(part));
}

function entries<T extends z.ZodType>(key: z.ZodType<string, string>, value: T, most = maxEntries) {
  return z.record(key, value).refine((record) => Object.keys(record).length <= most, `has at most ${most} entries`);
}

export const ProfileFile = z
  .union([
    z.string(),
    z.object({
      content: z.string(),
      encoding: z.enum(["utf8", "base64"]).nullish(),
      executable: z.boolean().nullish(),
    }),
  ])
  .meta({ id: "ProfileFile", description: "A file's text; or its content with how it is encoded" });
export type ProfileFile = z.infer<typeof ProfileFile>;

const files = entries(path, ProfileFile, maxFiles);

export const ProfileSkill = z
  .object({
    files: files
      .refine((given) => Object.hasOwn(given, "SKILL.md"), "has a SKILL.md")
      .describe("Its SKILL.md and what that refers to, by their paths in the skill's folder"),
  })
  .meta({ id: "ProfileSkill" });
export type ProfileSkill = z.infer<typeof ProfileSkill>;

export const ProfileSubagent = z
  .object({
    description: z.string().min(1).describe("When to hand a task to it"),
    prompt: z.string().min(1).describe("Its system prompt"),
    tools: z.array(z.string().min(1)).nullish().describe("The only tools it has, as the agent calls them"),
    model: z.string().min(1).nullish(),
  })
  .meta({ id: "ProfileSubagent" });
export type ProfileSubagent = z.infer<typeof ProfileSubagent>;

export const ProfileCommand = z
  .object({
    description: z.string().nullish(),
    prompt: z
      .string()
      .min(1)
      .describe("What the agent is told for `/name words`; `$ARGUMENTS` and `$1` … `$9` stand for the words"),
  })
  .meta({ id: "ProfileCommand" });
export type ProfileCommand = z.infer<typeof ProfileCommand>;

export const HookEvent = z.enum(hookEvents).meta({ id: "HookEvent" });
export type HookEvent = z.infer<typeof HookEvent>;

export const ProfileHook = z
  .object({
    event: HookEvent,
    matcher: z.string().min(1).nullish().describe("Which tools, as the agent calls them; default: all"),
    command: z.string().min(1).describe("Run by a shell; on its stdin is what the agent itself tells its hooks"),
    timeoutMs: z.int().positive().nullish(),
  })
  .meta({ id: "ProfileHook" });
export type ProfileHook = z.infer<typeof ProfileHook>;

export const AgentProfile = z
  .object({
    description: z.string().max(2_000).nullish().describe("For people"),
    systemPrompt: z.string().nullish(),
    instructions: z.string().nullish().describe("As in a file AGENTS.md or CLAUDE.md"),
    skills: entries(name, ProfileSkill).nullish(),
    subagents: entries(name, ProfileSubagent).nullish(),
    commands: entries(name, ProfileCommand).nullish(),
    mcp: entries(z.string(), McpServerRequest).nullish(),
    hooks: z.array(ProfileHook).max(maxEntries).nullish(),
    env: EnvironmentVariables.nullish(),
    secrets: EnvironmentVariables.nullish().describe("Environment that is never shown, and encrypted where it is kept"),
    files: files
      .refine((given) => Object.keys(given).every((file) => !/^\.git(\/|$)/i.test(file)), "has nothing in .git")
      .nullish()
      .describe("Written into the session's directory where nothing is in their place"),
  })
  .refine(
    (profile) => new TextEncoder().encode(JSON.stringify(profile)).length <= maxProfileBytes,
    `has at most ${maxProfileBytes} bytes as JSON`,
  )
  .meta({ id: "AgentProfile", description: "What an agent is given besides its messages; at most 16 MiB" });
export type AgentProfile = z.infer<typeof AgentProfile>;

export const ProfileLoss = z
  .object({
    entity: ProfileEntity,
    name: z.string().nullish().describe("Which of them; absent: all"),
    reason: z.string(),
  })
  .meta({ id: "ProfileLoss", description: "A part of the profile that the agent does not get" });
export type ProfileLoss = z.infer<typeof ProfileLoss>;
