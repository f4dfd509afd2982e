import { type EventDraft, SandboxError, type UniversalItem } from "@sandbox-agent/protocol";
import type { ProcessExit } from "../../process/agent-process.ts";

const LONGEST_REASON = 500;

/** Why the turn is lost with its process. */
export function exitError(exit: ProcessExit, sessionId: string): SandboxError {
  const { exitCode, signal, stderr } = exit;
  const how = exit.spawnError?.message ?? (signal ? `it got ${signal}` : `exit code ${exitCode}`);
  return new SandboxError(
    "agent_process_exited",
    `Amp ended in the middle of a turn (${how}). Send the message again to go on.`,
    { agent: "amp", sessionId, details: { exitCode, signal, stderr }, cause: exit.spawnError ?? exit.outputError },
  );
}

/** What Amp says before it gives up, e.g. about a wrong key; nothing when it died. */
export function refusalOf({ exitCode, stderr }: ProcessExit): string | undefined {
  if (exitCode === null || exitCode === 0) return undefined;
  const said = wordsOf({ stderr });
  return said === "" ? undefined : said.slice(0, LONGEST_REASON);
}

export function isUnknownFlag({ stderr }: ProcessExit): boolean {
  return /unknown (option|flag|argument)|unrecognized (option|argument)/i.test(wordsOf({ stderr }));
}

/** The thread was archived or deleted, by the user or by Amp itself. */
export function isLostThread({ stderr }: ProcessExit): boolean {
  return /archived and cannot be continued|thread not found|invalid thread/i.test(wordsOf({ stderr }));
}

export function lostThread(itemId: string, threadId: string): EventDraft[] {
  const detail = `Amp cannot go on with the thread ${threadId}, which is archived or gone; it begins without memory.`;
  const item: UniversalItem = {
    item_id: itemId,
    kind: "status",
    role: "system",
    status: "completed",
    content: [{ type: "status", label: "Conversation lost", detail }],
  };
  const from = { source: "daemon", synthetic: true } as const;
  return [
    { type: "item.started", data: { item: { ...item, status: "in_progress" } }, ...from },
    { type: "item.completed", data: { item }, ...from },
  ];
}

function wordsOf({ stderr }: Pick<ProcessExit, "stderr">): string {
  const words = `${stderr.head ?? ""}${stderr.tail ?? ""}`.replaceAll(/\s+/g, " ").trim();
  return words.replace(/^(Error: )+(error: )?/, "");
}
