import type { DaemonOptions } from "@sandbox-agent-ts/daemon";
import { readJsonFile } from "../commands/read-json-file.ts";
import type { Environment } from "../data-dir.ts";
import { UsageError } from "../usage-error.ts";
import type { ServerSettings } from "./server-settings.ts";
import { splitWords } from "./split-words.ts";

const variable = "SANDBOX_AGENT_ACP_AGENTS";

/** The custom agents of the file, of the environment and of the flags, together. The daemon checks what they say. */
export async function readAcpAgents(
  { acpAgents, acpAgentsFile }: Pick<ServerSettings, "acpAgents" | "acpAgentsFile">,
  env: Environment,
): Promise<NonNullable<DaemonOptions["acpAgents"]>> {
  const inFile = acpAgentsFile === undefined ? [] : listIn(await readJsonFile(acpAgentsFile), acpAgentsFile);
  const inVariable = env[variable] ? listIn(parse(env[variable]), variable) : [];
  return [...inFile, ...inVariable, ...acpAgents.map(fromFlag)] as NonNullable<DaemonOptions["acpAgents"]>;
}

function listIn(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new UsageError(`${where} must hold a list of agents: [{"id":"my-agent","command":"my-agent","args":["acp"]}].`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${variable} is not JSON: ${(error as Error).message}`);
  }
}

function fromFlag(flag: string): unknown {
  const at = flag.indexOf("=");
  const [command, ...args] = at < 1 ? [] : (splitWords(flag.slice(at + 1)) ?? []);
  if (command === undefined) {
    throw new UsageError(`--acp-agent must look like id=command or 'id=command --flag', not "${flag}".`);
  }
  return { id: flag.slice(0, at), command, args };
}
