import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { trustsRepository } from "../../permissions/trusts-repository.ts";
import { mergeSettings, readSettings, type Settings, settingsIn } from "../../settings/json-settings.ts";
import { ownFile, writeOwnFile } from "../../settings/own-file.ts";
import { namesInDotEnv } from "./dot-env.ts";
import { qwenDirectory } from "./qwen-directory.ts";

/**
 * Settings of the machine, which Qwen Code puts above those of the user and of the directory; lists of rules are put
 * together, and a rule to ask goes before one to allow. What the machine really has is laid under them.
 */
export async function systemSettings(place: AcpPlace, trusts: boolean): Promise<Readonly<Record<string, string>>> {
  const { env, host, session } = place;
  const machine = await readSettings(env.QWEN_CODE_SYSTEM_SETTINGS_PATH || machineFile());
  if (!trusts) await refuseWithoutTrust(env);
  const folders = { [await realpath(session.directory)]: "DO_NOT_TRUST" };
  const settings = mergeSettings(machine, {
    ...(trusts ? {} : { security: { folderTrust: { enabled: true } } }),
    // Where the user has none, it takes those of the directory for the user's.
    ...(trusts || session.hooks ? {} : { disableAllHooks: true }),
    permissions: { ask: [...listIn(machine, "permissions", "ask"), ...askedTools(place, trusts)] },
    advanced: { excludedEnvVars: [...excluded(machine), ...(await namesInDotEnv(place))] },
  });
  return {
    QWEN_CODE_SYSTEM_SETTINGS_PATH: await keep(host.dataDir, "system-settings.json", settings),
    ...(trusts ? {} : { QWEN_CODE_TRUSTED_FOLDERS_PATH: await keep(host.dataDir, "folders.json", folders) }),
  };
}

/** Its rules for tools that look at files; by themselves they are never asked about. */
const looking = ["Read"];
/** What changes something. A subagent may have a mode of its own. */
const changing = ["Bash", "Edit", "Write", "Monitor", "Agent", "mcp__*"];

/**
 * While it plans, what it has to ask about is refused, and what a rule of the user allows it would do. In directories that
 * it trusts its subagents edit files unasked, whatever its own mode, so a person is asked before one begins.
 */
function askedTools({ session }: AcpPlace, trusts: boolean): string[] {
  const { asksEverything, permissionMode, agentMode } = session;
  const plans = permissionMode === "plan" || agentMode === "plan";
  return [
    ...(asksEverything ? looking : []),
    ...(plans ? changing : []),
    ...(plans || trustsRepository(session) || !trusts ? [] : ["Agent"]),
  ];
}

function listIn(settings: Settings, group: string, name: string): unknown[] {
  const list = settingsIn(settings, group)[name];
  return Array.isArray(list) ? list : [];
}

/** What it leaves out of such files by itself. */
const usuallyExcluded = ["DEBUG", "DEBUG_MODE"];

function excluded(machine: Settings): unknown[] {
  const own = listIn(machine, "advanced", "excludedEnvVars");
  return own.length > 0 ? own : usuallyExcluded;
}

/** Of the settings of machine and user, those of the user decide whether directories are trusted at all. */
async function refuseWithoutTrust(env: AcpPlace["env"]): Promise<void> {
  const file = join(qwenDirectory(env), "settings.json");
  const user = await readSettings(file);
  const { enabled = user.folderTrust } = settingsIn(settingsIn(user, "security"), "folderTrust");
  if (enabled !== false) return;
  const sentence =
    "Files of this directory ask for what Qwen Code would do unasked, and security.folderTrust.enabled is false in " +
    `${file}, so that it trusts every directory. Remove it there, or use the permission mode bypass.`;
  throw new SandboxError("permission_denied", sentence, { agent: "qwen" });
}

function machineFile(): string {
  return process.platform === "darwin"
    ? "/Library/Application Support/QwenCode/settings.json"
    : "/etc/qwen-code/settings.json";
}

function keep(folder: string, name: string, settings: Settings): Promise<string> {
  return writeOwnFile(ownFile(folder, name, JSON.stringify(settings)));
}
