import { type SandboxAgent, SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { diffText } from "../output/diff-text.ts";
import { countOf } from "../output/number-text.ts";
import type { Output } from "../output/output.ts";

/** Show what changed since a turn began, or since the session did. */
export async function showChanges(client: SandboxAgent, out: Output, sessionId: string, turn?: string): Promise<void> {
  const changes = await changesSince(client, sessionId, turn);
  if (typeof changes === "string") return out.line(out.paint("dim", changes));
  await out.line(changes.diff ? diffText(changes.diff.trimEnd(), out.paint) : "No file changed.");
  for (const note of changes.notes ?? []) await out.line(out.paint("dim", note));
}

/** Say how many files a turn changed, if any. */
export async function countChanges(client: SandboxAgent, out: Output, sessionId: string, turn: string): Promise<void> {
  const changes = await changesSince(client, sessionId, turn);
  if (typeof changes === "string" || changes.files.length === 0) return;
  await out.line(out.paint("dim", `${countOf(changes.files.length, "file")} changed: /diff shows how.`));
}

type Changes = Awaited<ReturnType<SandboxAgent["getDiff"]>>;

/** Why it cannot be told, where it cannot. */
async function changesSince(client: SandboxAgent, sessionId: string, turn?: string): Promise<Changes | string> {
  try {
    return await client.getDiff(sessionId, turn === undefined ? {} : { turn });
  } catch (error) {
    if (error instanceof SandboxAgentError) return `What changed cannot be told: ${error.message}`;
    throw error;
  }
}
