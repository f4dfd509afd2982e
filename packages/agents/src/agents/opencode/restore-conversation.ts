import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { RestoredConversation, RestoreOptions } from "../../agent.ts";
import { planSessionLaunch, serverEnvironment } from "./server/launch.ts";
import { writeTranscript } from "./write-transcript.ts";

const IMPORT_TIMEOUT_MS = 120_000;

/** OpenCode keeps its conversations in a database; its own command puts an exported one into it. */
export async function restoreConversation(options: RestoreOptions): Promise<RestoredConversation> {
  const { host } = options;
  const { nativeSessionId, texts } = exportsOf(options);
  await mkdir(host.dataDir, { recursive: true });
  const folder = await mkdtemp(join(host.dataDir, "import-"));
  try {
    for (const [index, text] of texts.entries()) {
      const file = join(folder, `${index}.json`);
      await writeFile(file, text, { mode: 0o600 });
      await runImport(options, file);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { nativeSessionId };
}

function exportsOf({ session, conversation }: RestoreOptions): { nativeSessionId: string; texts: string[] } {
  if (!("events" in conversation)) {
    const { nativeSessionId, files } = conversation;
    return { nativeSessionId, texts: files.map(({ text }) => text) };
  }
  const nativeSessionId = `ses_${randomUUID().replaceAll("-", "").slice(0, 26)}`;
  const { directory } = session;
  const about = { nativeSessionId, directory, time: new Date().toISOString(), nextUuid: randomUUID };
  return { nativeSessionId, texts: [writeTranscript(conversation.events, about).text] };
}

async function runImport({ host, session }: RestoreOptions, file: string): Promise<void> {
  const launch = await planSessionLaunch(host, session);
  const { env } = serverEnvironment(launch);
  const process = host.spawn({
    command: launch.command,
    args: ["import", file],
    cwd: session.directory,
    env,
    label: `opencode import for session ${session.sessionId}`,
    onLines() {},
  });
  const timer = setTimeout(() => void process.stop().catch(() => {}), IMPORT_TIMEOUT_MS);
  const { exitCode, stderr } = await process.exited;
  clearTimeout(timer);
  await process.stop();
  if (exitCode === 0) return;
  const why = stderr.tail ?? stderr.head ?? `it exited with ${exitCode}`;
  throw new SandboxError("agent_process_exited", `OpenCode cannot import the conversation: ${why.slice(-500)}`, {
    agent: "opencode",
    details: { exitCode },
  });
}
