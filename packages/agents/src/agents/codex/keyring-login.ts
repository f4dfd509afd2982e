import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentHost } from "../../agent.ts";
import { readRegularText } from "../../files/read-regular-file.ts";
import { configValues } from "./config-values.ts";
import { codexHome } from "./credentials.ts";

/** It answers in a twentieth of a second; a keyring that wants a person to unlock it never does. */
const ANSWER_MS = 2_000;
/** The probe comes often, a login seldom. */
const FRESH_MS = 30_000;

const known = new Map<string, { readonly answer: Promise<boolean>; readonly at: number }>();

/** Somebody signed in, and Codex keeps it in the keyring: only Codex can tell, and it is asked only where that may be. */
export async function hasKeyringLogin(host: AgentHost, command: string): Promise<boolean> {
  const home = codexHome(host.env);
  const config = await readRegularText(join(home, "config.toml")).catch(() => "");
  const stores = configValues(config, "cli_auth_credentials_store");
  if (!stores.includes("keyring") && !stores.includes("auto")) return false;
  const key = JSON.stringify([command, home]);
  const before = known.get(key);
  if (before && Date.now() - before.at < FRESH_MS) return before.answer;
  const answer = askStatus(host, command);
  known.set(key, { answer, at: Date.now() });
  return answer;
}

/** What it prints is not looked at. */
async function askStatus(host: AgentHost, command: string): Promise<boolean> {
  const process = host.spawn({
    command,
    args: ["login", "status"],
    cwd: host.dataDir,
    env: host.env,
    label: "codex login status",
    onLines() {},
  });
  process.endInput();
  const late = sleep(ANSWER_MS, undefined, { ref: false });
  const exit = await Promise.race([process.exited, late]);
  await process.stop();
  return exit?.exitCode === 0;
}
