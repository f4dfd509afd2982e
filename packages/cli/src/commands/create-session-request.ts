import type { CreateSessionRequest } from "@sandbox-agent-ts/sdk";
import type { Flag } from "../flag.ts";
import { UsageError } from "../usage-error.ts";
import type { CommandInput } from "./command-input.ts";
import { defined } from "./defined.ts";
import { policyFlags, policyOf, requestTimeoutOf } from "./policy-flags.ts";
import { readJsonFile } from "./read-json-file.ts";

export const permissionModes = ["default", "plan", "acceptEdits", "bypass"] as const;

export const createFlags: readonly Flag[] = [
  { name: "agent", short: "a", value: "agent", required: true, description: "agent to talk to, see `agents list`" },
  {
    name: "agent-mode",
    short: "g",
    value: "mode",
    description: "what the agent does, see `agents modes` (default: build)",
  },
  {
    name: "permission-mode",
    short: "p",
    value: "mode",
    choices: permissionModes,
    description: "what the agent may do without asking (default: default)",
  },
  { name: "model", short: "m", value: "model", description: "see `agents models`" },
  { name: "variant", short: "v", value: "variant", description: "variant of the model, e.g. its effort" },
  { name: "agent-version", short: "A", value: "version", description: "version of the agent to install" },
  {
    name: "directory",
    short: "d",
    value: "directory",
    description: "the agent's working directory, on the daemon's machine",
  },
  { name: "title", value: "title", description: "a name for people" },
  {
    name: "env",
    value: "NAME=value",
    multiple: true,
    description: "environment of this session's agent alone; repeatable",
  },
  { name: "mcp", value: "file", description: "JSON file with MCP servers by name" },
  { name: "skills", value: "file", description: 'JSON file with skills: {"sources":[…]}' },
  { name: "system-prompt", value: "text", description: "instructions added to the agent's own" },
  ...policyFlags,
  { name: "metadata", value: "file", description: "JSON file with what you want to find again with the session" },
  {
    name: "profile",
    value: "profile",
    description:
      "what the agent is given: a directory or a JSON file (with a / or .json), or a name that a runtime knows",
  },
  { name: "sandbox", value: "file", description: "JSON file with the sandbox a runtime makes; a daemon makes none" },
  {
    name: "restore",
    value: "file",
    description: "JSON file with the conversation to go on with, e.g. as `sessions events --json` prints it",
  },
];

export async function createSessionRequest(input: CommandInput): Promise<CreateSessionRequest> {
  return {
    agent: input.text("agent") ?? "",
    ...defined({
      agentMode: input.text("agent-mode"),
      permissionMode: permissionModes.find((mode) => mode === input.text("permission-mode")),
      model: input.text("model"),
      variant: input.text("variant"),
      agentVersion: input.text("agent-version"),
      directory: input.text("directory"),
      title: input.text("title"),
      env: environmentOf(input.list("env")),
      mcp: await jsonOf<CreateSessionRequest["mcp"]>(input.text("mcp")),
      skills: await jsonOf<CreateSessionRequest["skills"]>(input.text("skills")),
      systemPrompt: input.text("system-prompt"),
      policy: await policyOf(input),
      requestTimeout: requestTimeoutOf(input),
      metadata: await jsonOf<CreateSessionRequest["metadata"]>(input.text("metadata")),
      profile: await profileOf(input.text("profile")),
      sandbox: await jsonOf<CreateSessionRequest["sandbox"]>(input.text("sandbox")),
      restore: await jsonOf<CreateSessionRequest["restore"]>(input.text("restore")),
    }),
  };
}

/** A path is read here; a name is for the server to know. */
async function profileOf(given: string | undefined): Promise<CreateSessionRequest["profile"]> {
  if (given === undefined || !(given.includes("/") || given.endsWith(".json"))) return given;
  const { readProfile } = await import("@sandbox-agent-ts/agents/read-profile");
  const profile = await readProfile(given).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  return profile as CreateSessionRequest["profile"];
}

function environmentOf(assignments: readonly string[]): Record<string, string> | undefined {
  if (assignments.length === 0) return undefined;
  return Object.fromEntries(
    assignments.map((assignment) => {
      const at = assignment.indexOf("=");
      if (at < 1) throw new UsageError(`--env must look like NAME=value, not "${assignment}".`);
      return [assignment.slice(0, at), assignment.slice(at + 1)];
    }),
  );
}

/** The daemon checks the shape and says what is wrong with it. */
async function jsonOf<T>(path: string | undefined): Promise<T | undefined> {
  return path === undefined ? undefined : ((await readJsonFile(path)) as T);
}
