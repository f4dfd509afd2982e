import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import type { CreateSessionRequest } from "@sandbox-agent-ts/sdk";

type McpServers = NonNullable<CreateSessionRequest["mcp"]>;
type Skills = NonNullable<CreateSessionRequest["skills"]>;

/** What a person has filled in; everything is text until it is sent. */
export interface SessionForm {
  readonly agent: string;
  readonly title: string;
  readonly sessionId: string;
  readonly agentMode: string;
  readonly permissionMode: PermissionMode;
  readonly model: string;
  readonly variant: string;
  readonly agentVersion: string;
  readonly directory: string;
  readonly systemPrompt: string;
  readonly env: string;
  readonly mcp: string;
  readonly skills: string;
}

export const emptyForm: SessionForm = {
  agent: "",
  title: "",
  sessionId: "",
  agentMode: "",
  permissionMode: "default",
  model: "",
  variant: "",
  agentVersion: "",
  directory: "",
  systemPrompt: "",
  env: "",
  mcp: "",
  skills: "",
};

export type FormErrors = Partial<Record<keyof SessionForm, string>>;

export type CheckedForm =
  | { readonly ok: true; readonly request: CreateSessionRequest }
  | { readonly ok: false; readonly errors: FormErrors };

/** The request a form stands for, or what is wrong with it. The daemon checks the rest. */
export function checkForm(form: SessionForm): CheckedForm {
  const errors: FormErrors = {};
  const read = <T>(field: keyof SessionForm, parse: (text: string) => T): T | undefined => {
    const text = form[field].trim();
    if (text === "") return undefined;
    try {
      return parse(text);
    } catch (error) {
      errors[field] = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  };
  const request = {
    agent: form.agent,
    permissionMode: form.permissionMode,
    agentMode: read("agentMode", String),
    title: read("title", String),
    model: read("model", String),
    variant: read("variant", String),
    agentVersion: read("agentVersion", String),
    directory: read("directory", String),
    systemPrompt: read("systemPrompt", String),
    env: read("env", parseEnv),
    mcp: read("mcp", parseMcp),
    skills: read("skills", parseSkills),
  };
  if (form.agent === "") errors.agent = "Choose an agent.";
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return { ok: true, request: { ...Object.fromEntries(given), agent: form.agent } as CreateSessionRequest };
}

/** `NAME=value`, one a line. */
export function parseEnv(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = "", value = ""] = /^\s*(?:export\s+)?([^\s=]+)=(.*)$/.exec(line) ?? [];
      if (name === "") throw new Error(`"${line.trim()}" is not NAME=value.`);
      return [name, value];
    }),
  );
}

function parseMcp(text: string): McpServers {
  return parseRecord(text, "MCP servers are a JSON object of names and their settings.") as unknown as McpServers;
}

/** One source a line (a path, a repository, `owner/name`), or the JSON of the API. */
function parseSkills(text: string): Skills {
  if (text.startsWith("{")) return parseRecord(text, "Skills are a JSON object with sources.") as unknown as Skills;
  const sources = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((source) => ({ type: skillType(source), source }));
  return { sources };
}

function skillType(source: string): "local" | "git" | "github" {
  if (/^(https?:|ssh:|git@)/.test(source) || source.endsWith(".git")) return "git";
  return /^[\w.-]+\/[\w.-]+$/.test(source) && !source.startsWith(".") ? "github" : "local";
}

function parseRecord(text: string, hint: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${hint} This is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(hint);
  return value as Record<string, unknown>;
}
