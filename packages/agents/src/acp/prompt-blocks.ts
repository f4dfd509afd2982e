import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { PromptInput } from "../agent.ts";
import { type AttachedFile, attachedFiles } from "../attachments/attached-files.ts";
import { readAttachment } from "../attachments/read-attachment.ts";
import type { AcpInitialized } from "./dialect.ts";

/** What the agent takes besides text and links. */
type Takes = NonNullable<NonNullable<AcpInitialized["agentCapabilities"]>["promptCapabilities"]>;

/**
 * A message as the agent takes it: images go along as they are where it takes them, other files as links.
 * `instructions` stand before it; as context where the agent knows such a thing.
 */
export async function promptBlocks(
  input: PromptInput,
  { directory, takes, instructions }: { directory: string; takes: Takes; instructions: string | undefined },
): Promise<object[]> {
  const attached = await Promise.all(attachedFiles(input, directory).map((file) => fileBlock(file, takes)));
  const text = input.message === "" && attached.length > 0 ? [] : [{ type: "text", text: input.message }];
  return [...instructionBlocks(instructions, takes), ...text, ...attached];
}

const INSTRUCTIONS_URI = "sandbox-agent:///instructions.md";

function instructionBlocks(instructions: string | undefined, { embeddedContext }: Takes): object[] {
  if (instructions === undefined) return [];
  if (!embeddedContext) return [{ type: "text", text: `<instructions>\n${instructions}\n</instructions>` }];
  return [{ type: "resource", resource: { uri: INSTRUCTIONS_URI, mimeType: "text/markdown", text: instructions } }];
}

async function fileBlock(file: AttachedFile, takes: Takes): Promise<object> {
  const mimeType = file.imageMime;
  if (mimeType !== undefined && takes.image) return { type: "image", mimeType, data: await readAttachment(file) };
  return {
    type: "resource_link",
    uri: pathToFileURL(file.path).href,
    name: file.filename ?? basename(file.path),
    ...(file.mime ? { mimeType: file.mime } : {}),
  };
}
