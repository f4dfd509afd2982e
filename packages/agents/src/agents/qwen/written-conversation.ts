import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const LONGEST_WAIT_MS = 1_000;
const PAUSE_MS = 20;

/**
 * Resolves when the model's last answer is in the file of the conversation, or after a second: Qwen Code writes it after
 * the turn has ended, and when it is ended before that it has forgotten the answer the next time.
 */
export async function conversationWritten(
  env: Readonly<Record<string, string>>,
  nativeSessionId: string,
): Promise<void> {
  const projects = join(env.QWEN_HOME ?? join(env.HOME ?? homedir(), ".qwen"), "projects");
  const giveUpAt = Date.now() + LONGEST_WAIT_MS;
  while (Date.now() < giveUpAt) {
    if (await endsWithAnswer(projects, `${nativeSessionId}.jsonl`)) return;
    await sleep(PAUSE_MS);
  }
}

async function endsWithAnswer(projects: string, name: string): Promise<boolean> {
  const folders = await readdir(projects).catch(() => []);
  const texts = await Promise.all(
    folders.map((folder) => readFile(join(projects, folder, "chats", name), "utf8").catch(() => "")),
  );
  const last = texts.join("").trimEnd().split("\n").at(-1) ?? "";
  return last.includes('"type":"assistant"');
}
