import { readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type MessageAttachment, SandboxError } from "@sandbox-agent/protocol";
import type { PromptInput } from "../agent.ts";
import type { AcpInitialized } from "./dialect.ts";

const imageMimes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

/** What the agent takes besides text and links. */
type Takes = NonNullable<NonNullable<AcpInitialized["agentCapabilities"]>["promptCapabilities"]>;

/**
 * A message as the agent takes it: images go along as they are where it takes them, other files as links.
 * `instructions` stand before it; as context where the agent knows such a thing.
 */
export async function promptBlocks(
  { message, attachments }: PromptInput,
  { directory, takes, instructions }: { directory: string; takes: Takes; instructions: string | undefined },
): Promise<object[]> {
  const files = attachments.map((attachment) => ({ ...attachment, path: resolve(directory, attachment.path) }));
  const attached = await Promise.all(files.map((file) => fileBlock(file, takes)));
  const text = message === "" && attached.length > 0 ? [] : [{ type: "text", text: message }];
  return [...instructionBlocks(instructions, takes), ...text, ...attached];
}

const INSTRUCTIONS_URI = "sandbox-agent:///instructions.md";

function instructionBlocks(instructions: string | undefined, { embeddedContext }: Takes): object[] {
  if (instructions === undefined) return [];
  if (!embeddedContext) return [{ type: "text", text: `<instructions>\n${instructions}\n</instructions>` }];
  return [{ type: "resource", resource: { uri: INSTRUCTIONS_URI, mimeType: "text/markdown", text: instructions } }];
}

async function fileBlock(file: MessageAttachment, takes: Takes): Promise<object> {
  const mimeType = imageMime(file);
  if (mimeType !== undefined && takes.image) return { type: "image", mimeType, data: await read(file.path) };
  return {
    type: "resource_link",
    uri: pathToFileURL(file.path).href,
    name: file.filename ?? basename(file.path),
    ...(file.mime ? { mimeType: file.mime } : {}),
  };
}

function imageMime({ mime, path }: MessageAttachment): string | undefined {
  if (mime) return Object.values(imageMimes).includes(mime) ? mime : undefined;
  return imageMimes[extname(path).toLowerCase()];
}

async function read(path: string): Promise<string> {
  return readFile(path, "base64").catch((cause: unknown) => {
    throw new SandboxError("invalid_request", `The attachment ${path} cannot be read. Check its path.`, { cause });
  });
}
