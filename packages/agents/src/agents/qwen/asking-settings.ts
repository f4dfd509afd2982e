import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";

/** Its rules for tools that look at files; by themselves they are never asked about. */
const settings = { permissions: { ask: ["Read"] } };

/** Where it looks for settings of the machine; lists of rules in them are put together with those of the user. */
const places = ["QWEN_CODE_SYSTEM_DEFAULTS_PATH", "QWEN_CODE_SYSTEM_SETTINGS_PATH"];

/** Settings by which Qwen Code asks also before it reads; for sessions that have a policy. */
export async function askingSettings({ env, host, session }: AcpPlace): Promise<Readonly<Record<string, string>>> {
  const variable = places.find((name) => !env[name]);
  if (!session.asksEverything || variable === undefined) return {};
  await mkdir(host.dataDir, { recursive: true });
  const file = join(host.dataDir, "asking-settings.json");
  await writeFile(file, JSON.stringify(settings));
  return { [variable]: file };
}
