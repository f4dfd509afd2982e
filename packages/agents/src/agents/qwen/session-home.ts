import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { sessionFolder } from "../../files/session-folders.ts";
import { nativeHooks } from "../../hooks/native-hooks.ts";
import { readSettings, settingsIn } from "../../settings/json-settings.ts";
import { writeSubagents } from "../../subagents/write-subagents.ts";
import { qwenDirectory } from "./qwen-directory.ts";

/** As Qwen Code calls the events at which hooks run. */
const hookNames = {
  sessionStart: "SessionStart",
  userPrompt: "UserPromptSubmit",
  beforeTool: "PreToolUse",
  afterTool: "PostToolUse",
  turnEnd: "Stop",
  sessionEnd: "SessionEnd",
} as const;

/**
 * A directory for the settings of a session with subagents or hooks, which Qwen Code takes from there only: the user's own by
 * links, with what the session adds. Conversations stay where they are.
 */
export async function sessionHome({ env, host, session }: AcpPlace): Promise<Readonly<Record<string, string>>> {
  const { hooks, subagents } = session;
  if (!hooks && !subagents) return {};
  const theirs = qwenDirectory(env);
  const home = join(sessionFolder(host.dataDir, session.sessionId), "home");
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true, mode: 0o700 });
  const own = [...(hooks ? ["settings.json"] : []), ...(subagents ? ["agents"] : [])];
  await linkAll(theirs, home, own);
  if (hooks) {
    const settings = await readSettings(join(theirs, "settings.json"));
    const known = settingsIn(settings, "hooks");
    const added = Object.entries(nativeHooks(hooks, hookNames, 1)).map(([name, list]) => {
      return [name, [...(Array.isArray(known[name]) ? known[name] : []), ...list]];
    });
    const merged = { ...settings, hooks: { ...known, ...Object.fromEntries(added) } };
    await writeFile(join(home, "settings.json"), JSON.stringify(merged), { mode: 0o600 });
  }
  if (subagents) {
    const directory = join(home, "agents");
    await writeSubagents(subagents, { directory, extension: ".md", fields: ["tools"] });
    await linkAll(join(theirs, "agents"), directory, []);
  }
  return { QWEN_HOME: home, QWEN_RUNTIME_DIR: env.QWEN_RUNTIME_DIR || theirs };
}

/** What is there already stays. */
async function linkAll(from: string, to: string, except: readonly string[]): Promise<void> {
  const names = (await readdir(from).catch(() => [])).filter((name) => !except.includes(name));
  await Promise.all(names.map((name) => symlink(join(from, name), join(to, name)).catch(() => {})));
}
