import type { MessageAttachment, SandboxAgent } from "@sandbox-agent-ts/sdk";

/** Where files of messages are kept, in the session's directory. */
const FOLDER = ".sandbox-agent/attachments";

/** Put a file where the agent can read it. */
export async function uploadAttachment(
  client: SandboxAgent,
  sessionId: string,
  file: File,
): Promise<MessageAttachment> {
  const filename = file.name || `pasted.${file.type.split("/").at(-1) || "bin"}`;
  const { path } = await client.writeFsFile({ path: attachmentPath(filename), sessionId }, file);
  return { path, filename, ...(file.type ? { mime: file.type } : {}) };
}

/** A name of its own, whatever the file is called. */
export function attachmentPath(filename: string): string {
  const safe =
    filename
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/^[-.]+/, "")
      .slice(-80) || "file";
  return `${FOLDER}/${crypto.randomUUID().slice(0, 8)}-${safe}`;
}

/** The files in a paste or a drop; text stays with the field. */
export function filesOf(data: DataTransfer): File[] {
  return [...data.files];
}
