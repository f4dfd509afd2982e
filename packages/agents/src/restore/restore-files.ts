import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { RestoredConversation, RestoreOptions } from "../agent.ts";
import type { TranscriptDialect, TranscriptFile } from "../transcripts/transcript-dialect.ts";

/** Where an agent keeps its conversations: a folder in the directory in which it keeps its things. */
export interface ConversationPlace {
  readonly root: string;
  /** Nothing is written elsewhere, so that no conversation brings settings with it. */
  readonly folder: string;
}

/** Put a conversation where an agent that keeps each in files of its own finds it. */
export async function restoreFiles(
  { session, conversation }: Pick<RestoreOptions, "session" | "conversation">,
  write: NonNullable<TranscriptDialect["writeTranscript"]>,
  place: ConversationPlace,
): Promise<RestoredConversation> {
  if (!("events" in conversation)) {
    const { nativeSessionId, files } = conversation;
    await placeFiles(files, place);
    return { nativeSessionId };
  }
  const nativeSessionId = randomUUID();
  const { directory } = session;
  const time = new Date().toISOString();
  await placeFiles([write(conversation.events, { nativeSessionId, directory, time, nextUuid: randomUUID })], place);
  return { nativeSessionId };
}

/** Each of them is there whole or not at all. */
async function placeFiles(files: readonly TranscriptFile[], { root, folder }: ConversationPlace): Promise<void> {
  for (const { path } of files) refuseOutside(path, folder);
  for (const { path, text } of files) {
    const target = join(root, path);
    const draft = join(dirname(target), `.${randomBytes(6).toString("hex")}`);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    try {
      await writeFile(draft, text, { mode: 0o600, flush: true });
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}

function refuseOutside(path: string, folder: string): void {
  const [first, ...rest] = path.split("/");
  const isInside =
    first === folder && rest.length > 0 && rest.every((name) => name !== "" && name !== "." && name !== "..");
  if (isInside && !/[\0\\]/.test(path)) return;
  throw new SandboxError(
    "invalid_request",
    `The transcript's file "${path}" is not in "${folder}/", where this agent keeps its conversations.`,
    { details: { issues: [{ path: "restore.transcript", message: `paths begin with ${folder}/` }] } },
  );
}
