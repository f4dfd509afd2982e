import type { FileAttachment, UniversalItem } from "@sandbox-agent-ts/protocol";

/** Of files that do not go along with a message the agent is told where they are, to read them itself. */
export function fileList(files: readonly FileAttachment[]): string {
  return files.length === 0 ? "" : `Attached files:\n${files.map(nameOf).join("\n")}`;
}

export function withFileList(message: string, files: readonly FileAttachment[]): string {
  return [message, fileList(files)].filter((text) => text !== "").join("\n\n");
}

const listed = /(?:^|\n\n)Attached files:\n((?:- [^\n]+(?:\n|$))+)$/;
const listedFile = /^- (.+?)(?: \([^()]*\))?$/;

/** What a person said and attached, from a message as `withFileList` made it. */
export function readFileList(text: string): UniversalItem["content"] {
  const [found = "", list = ""] = listed.exec(text) ?? [];
  const message = text.slice(0, text.length - found.length);
  const files = list.split("\n").flatMap((line) => listedFile.exec(line)?.[1] ?? []);
  return [
    ...(message === "" ? [] : [{ type: "text" as const, text: message }]),
    ...files.map((path) => ({ type: "file_ref" as const, path, action: "read" as const })),
  ];
}

function nameOf({ path, filename, mime }: FileAttachment): string {
  const about = [filename, mime].filter((word) => word).join(", ");
  return `- ${path}${about === "" ? "" : ` (${about})`}`;
}
