import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const LONGEST_WAIT_MS = 1_000;
const PAUSE_MS = 20;

/**
 * Resolves when an answer of the model since then is the last in the file of the conversation, or after a second: Qwen
 * Code writes it after the turn has ended, and when it is ended before that it has forgotten the answer the next time.
 */
export async function conversationWritten(
  env: Readonly<Record<string, string>>,
  nativeSessionId: string,
  since: number,
): Promise<void> {
  const projects = join(env.QWEN_HOME ?? join(env.HOME ?? homedir(), ".qwen"), "projects");
  const giveUpAt = Date.now() + LONGEST_WAIT_MS;
  while (Date.now() < giveUpAt) {
    if (await endsWithAnswer(projects, `${nativeSessionId}.jsonl`, since)) return;
    await sleep(PAUSE_MS);
  }
}

async function endsWithAnswer(projects: string, name: string, since: number): Promise<boolean> {
  const folders = await readdir(projects).catch(() => []);
  const texts = await Promise.all(
    folders.map((folder) => readFile(join(projects, folder, "chats", name), "utf8").catch(() => "")),
  );
  const last = texts.join("").trimEnd().split("\n").at(-1) ?? "";
  const { type, timestamp = "" } = parseRecord(last);
  return type === "assistant" && Date.parse(timestamp) >= since;
}

/** Half a line is no record yet. */
function parseRecord(line: string): { type?: string; timestamp?: string } {
  try {
    return JSON.parse(line) as { type?: string; timestamp?: string };
  } catch {
    return {};
  }
}
