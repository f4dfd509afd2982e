import type { FileAttachment } from "@sandbox-agent-ts/protocol";
import type { Scenario } from "../scenario.ts";

/** Say the message again; `echo X` says X. Attachments are named below it. */
export const echo: Scenario = async (stage, { message, attachments }) => {
  const text = /^\s*echo\s+(.+)$/is.exec(message)?.[1] ?? message;
  const lines = [text === "" ? "(an empty message)" : text, ...attachments.map(describeAttachment)];
  await stage.say(lines.join("\n"));
  return undefined;
};

function describeAttachment({ path, filename, mime }: FileAttachment): string {
  return `Attached: ${filename ?? path}${mime ? ` (${mime})` : ""}`;
}
