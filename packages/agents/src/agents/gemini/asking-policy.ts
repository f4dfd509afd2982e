import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";

/** Its own rules, and perhaps those of the user, which these go before, let everything pass that only looks. */
const rules = `[[rule]]
toolName = ["read_file", "read_many_files", "list_directory", "glob", "grep_search", "google_web_search"]
decision = "ask_user"
priority = 900
`;

/** Rules by which Gemini CLI asks also before it reads; for sessions that have a policy. */
export async function writeAskingPolicy(place: AcpPlace): Promise<void> {
  if (place.session.asksEverything) await writeFile(fileOf(place), rules);
}

export function askingArgs(place: AcpPlace): readonly string[] {
  return place.session.asksEverything ? ["--admin-policy", fileOf(place)] : [];
}

function fileOf({ host }: AcpPlace): string {
  return join(host.dataDir, "asking-policy.toml");
}
