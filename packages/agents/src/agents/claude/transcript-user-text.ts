import type { TranscriptEntry } from "./transcript-entry.ts";

/** What Claude Code puts into the user's mouth. */
const notSaid =
  /^\s*(<(system-reminder|local-command|task-notification|command-message)|\[Request interrupted by user)/;
const command = /<command-name>([^<]*)<\/command-name>[\s\S]*?<command-args>([^<]*)<\/command-args>/;

/** What a person said in this entry; `undefined` when it was not a person who spoke. */
export function userText(entry: TranscriptEntry): string | undefined {
  if (entry.origin || entry.isCompactSummary || entry.isVisibleInTranscriptOnly) return undefined;
  const said = textsOf(entry).filter((text) => !notSaid.test(text));
  const text = said.join("\n");
  const [, name, args] = command.exec(text) ?? [];
  if (name !== undefined) return `${name} ${args ?? ""}`.trim();
  return text === "" ? undefined : text;
}

function textsOf({ message }: TranscriptEntry): string[] {
  const content = message?.content ?? [];
  if (typeof content === "string") return [content];
  return content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}
