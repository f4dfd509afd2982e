import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { PromptInput } from "../agent.ts";
import { type AttachedFile, attachedFiles } from "../attachments/attached-files.ts";
import { fileList } from "../attachments/file-list.ts";
import { readAttachment } from "../attachments/read-attachment.ts";
import type { AcpQuirks } from "./acp-agent.ts";
import type { AcpInitialized } from "./dialect.ts";

/** What the agent takes besides text and links. */
type Takes = NonNullable<NonNullable<AcpInitialized["agentCapabilities"]>["promptCapabilities"]>;

interface MessageSetting {
  readonly directory: string;
  readonly takes: Takes;
  readonly instructions: string | undefined;
  readonly quirks?: Pick<AcpQuirks, "linksArePaths" | "forgetsAttachments">;
}

/**
 * A message as the agent takes it: images go along as they are where it takes them, other files as links.
 * `instructions` stand before it; as context where the agent knows such a thing.
 */
export async function promptBlocks(
  input: PromptInput,
  { directory, takes, instructions, quirks = {} }: MessageSetting,
): Promise<object[]> {
  const { linksArePaths = false, forgetsAttachments = false } = quirks;
  const all = attachedFiles(input, directory);
  const images = all.filter(({ imageMime }) => imageMime !== undefined && takes.image);
  const files = all.filter((file) => !images.includes(file));
  const areLinked = !(linksArePaths && images.length > 0);
  const listed = forgetsAttachments ? all : areLinked ? [] : files;
  const texts = [input.message, fileList(listed)].filter((text) => text !== "");
  return [
    ...instructionBlocks(instructions, takes.embeddedContext === true && !linksArePaths),
    ...(texts.length === 0 && all.length === 0 ? [input.message] : texts).map((text) => ({ type: "text", text })),
    ...(await Promise.all(images.map(imageBlock))),
    ...(areLinked ? files : []).map((file) => linkBlock(file, linksArePaths)),
  ];
}

const INSTRUCTIONS_URI = "sandbox-agent:///instructions.md";

function instructionBlocks(instructions: string | undefined, asContext: boolean): object[] {
  if (instructions === undefined) return [];
  if (!asContext) return [{ type: "text", text: `<instructions>\n${instructions}\n</instructions>` }];
  return [{ type: "resource", resource: { uri: INSTRUCTIONS_URI, mimeType: "text/markdown", text: instructions } }];
}

async function imageBlock(file: AttachedFile): Promise<object> {
  return { type: "image", mimeType: file.imageMime, data: await readAttachment(file) };
}

function linkBlock({ path, filename, mime }: AttachedFile, isPath: boolean): object {
  return {
    type: "resource_link",
    uri: isPath ? `file://${path}` : pathToFileURL(path).href,
    name: filename ?? basename(path),
    ...(mime ? { mimeType: mime } : {}),
  };
}
