/** Of no interest to a reader of the conversation: bookkeeping of the server, and what other messages say better. */
const ignored = [
  "account/",
  "app/",
  "autoApprovalReview/",
  "configWarning",
  "deprecationNotice",
  "externalAgentConfig/",
  "fs/",
  "fuzzyFileSearch/",
  "hook/",
  "item/autoApprovalReview/",
  "item/commandExecution/terminalInteraction",
  "item/fileChange/",
  "item/mcpToolCall/progress",
  "mcpServer/",
  "model/",
  "modelProvider/",
  "process/",
  "project/",
  "rawResponse",
  "remoteControl/",
  "skills/",
  "thread/",
  "turn/diff/updated",
  "turn/moderationMetadata",
];

export function isIgnored(method: string): boolean {
  return ignored.some((beginning) => method.startsWith(beginning));
}
