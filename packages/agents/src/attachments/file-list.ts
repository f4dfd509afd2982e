import type { FileAttachment } from "@sandbox-agent-ts/protocol";

/** Of files that do not go along with a message the agent is told where they are, to read them itself. */
export function fileList(files: readonly FileAttachment[]): string {
  return files.length === 0 ? "" : `Attached files:\n${files.map(nameOf).join("\n")}`;
}

export function withFileList(message: string, files: readonly FileAttachment[]): string {
  return [message, fileList(files)].filter((text) => text !== "").join("\n\n");
}

function nameOf({ path, filename, mime }: FileAttachment): string {
  const about = [filename, mime].filter((word) => word).join(", ");
  return `- ${path}${about === "" ? "" : ` (${about})`}`;
}
