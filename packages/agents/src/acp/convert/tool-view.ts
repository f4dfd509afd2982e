import { createHash } from "node:crypto";
import { isAbsolute, relative } from "node:path";
import type { ContentPart } from "@sandbox-agent-ts/protocol";
import { diffTexts } from "../../diff/unified-diff.ts";
import { type ImageFile, imageFile } from "../../images/image-file.ts";
import type { AcpContent, AcpToolCall, AcpToolContent } from "../dialect.ts";
import type { AcpSetting } from "./acp-state.ts";

export interface ShownImage extends ImageFile {
  readonly mime: string;
}

/** The result of a tool, in our words. */
export interface ToolView {
  readonly output: string;
  readonly parts: readonly ContentPart[];
  readonly images: readonly ShownImage[];
}

/** What kind of tool it is: `other` where neither the agent nor what we know of it says. */
export function toolKind(call: AcpToolCall, { quirks }: Pick<AcpSetting, "quirks">): string {
  const told = call.kind && call.kind !== "other" ? call.kind : undefined;
  return textOrNone(quirks.describeTool?.(call).kind) ?? told ?? "other";
}

/** What it is called. Agents that follow the protocol of old only give a title for people, which is no name. */
export function toolName(call: AcpToolCall, setting: Pick<AcpSetting, "quirks">): string {
  const named = textOrNone(setting.quirks.describeTool?.(call).name) ?? call.name;
  if (named) return named;
  const kind = toolKind(call, setting);
  return kind === "other" ? (call.title ?? "tool") : kind;
}

/** Descriptions are made from data of the agent's own, whose types nobody promises. */
function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Its input as JSON; where the agent shows none, what it is about. */
export function toolInput({ rawInput, title, locations }: AcpToolCall): string {
  if (hasInput(rawInput)) return JSON.stringify(rawInput);
  const paths = (locations ?? []).flatMap(({ path }) => path ?? []);
  return JSON.stringify({ ...(title ? { title } : {}), ...(paths.length > 0 ? { paths } : {}) });
}

function hasInput(input: unknown): boolean {
  if (input === undefined || input === null) return false;
  return typeof input !== "object" || Object.keys(input).length > 0;
}

/** `terminals` are the outputs of terminals of ours, by id. */
export function toolView(call: AcpToolCall, setting: AcpSetting, terminals: ReadonlyMap<string, string>): ToolView {
  const content = call.content ?? [];
  const images = content.flatMap((part) => imageOf(part.content, setting.imageDir));
  const changes = content.flatMap((part) => fileChange(part, setting.directory));
  const text = content.flatMap((part) => textOf(part, terminals)).join("\n");
  return {
    output: text || rawText(call.rawOutput),
    parts: [
      ...(changes.length > 0 ? changes : fileRefs(call, toolKind(call, setting))),
      ...images.map(({ path, mime }): ContentPart => ({ type: "image", path, mime })),
    ],
    images,
  };
}

export function textOf(part: AcpToolContent, terminals: ReadonlyMap<string, string>): string[] {
  if (part.type === "terminal") return [terminals.get(part.terminalId ?? "") ?? ""].filter((text) => text !== "");
  return contentText(part.content);
}

/** Images are shown as such, and sounds cannot be. */
export function contentText(content: AcpContent | undefined): string[] {
  switch (content?.type) {
    case "text":
      return content.text ? [content.text] : [];
    case "resource":
      return [content.resource?.text ?? content.resource?.uri ?? ""].filter((text) => text !== "");
    case "resource_link":
      return content.uri ? [content.uri] : [];
    default:
      return [];
  }
}

/** Named by what is in it, so that the same image is one file. */
export function imageOf(content: AcpContent | undefined, imageDir: string): ShownImage[] {
  if (content?.type !== "image" || !content.data) return [];
  const mime = content.mimeType ?? "image/png";
  const name = createHash("sha256").update(content.data).digest("hex").slice(0, 32);
  return [{ ...imageFile(imageDir, name, content.data, mime), mime }];
}

export function fileChange({ type, path, oldText, newText }: AcpToolContent, directory: string): ContentPart[] {
  if (type !== "diff" || path === undefined) return [];
  const before = oldText ?? undefined;
  const action = before === undefined ? "write" : "patch";
  return [{ type: "file_ref", path, action, diff: diffTexts(shown(path, directory), before, newText ?? "") }];
}

function shown(path: string, directory: string): string {
  const inside = relative(directory, path);
  return isAbsolute(path) && !inside.startsWith("..") ? inside : path;
}

/** The files a tool read or changed without showing how. */
function fileRefs({ locations, status }: AcpToolCall, kind: string): ContentPart[] {
  const action = kind === "read" ? "read" : kind === "edit" ? "patch" : undefined;
  if (action === undefined || status === "failed") return [];
  return (locations ?? []).flatMap(({ path }) => (path ? [{ type: "file_ref", path, action } as const] : []));
}

function rawText(output: unknown): string {
  if (output === undefined || output === null) return "";
  if (typeof output === "string") return output;
  const { output: inner, stdout } = output as { output?: unknown; stdout?: unknown };
  if (typeof inner === "string") return inner;
  return typeof stdout === "string" && stdout !== "" ? stdout : JSON.stringify(output);
}
