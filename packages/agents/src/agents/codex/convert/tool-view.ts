import type { ContentPart } from "@sandbox-agent-ts/protocol";
import { type ImageFile, imageFile } from "../../../images/image-file.ts";
import { imageMime } from "../../../images/image-mime.ts";
import type { CodexContent, CodexItem } from "../dialect.ts";
import type { ConversionSetting } from "./codex-state.ts";
import { changesInput, fileRef, summary } from "./file-change.ts";
import { imageName } from "./image-name.ts";
import { plainCommand } from "./plain-command.ts";

/** An item of the server as the call of a tool and its result. */
export interface ToolView {
  readonly name: string;
  readonly input: unknown;
  readonly output: string;
  readonly parts: readonly ContentPart[];
  readonly images: readonly ImageFile[];
}

type View = Partial<ToolView> & Pick<ToolView, "name">;

const views: Readonly<Record<string, (item: CodexItem, setting: ConversionSetting) => View>> = {
  commandExecution: commandView,
  fileChange: fileChangeView,
  mcpToolCall: mcpView,
  dynamicToolCall: ({ namespace, tool = "tool", ...item }, setting) => ({
    name: namespace ? `${namespace}.${tool}` : tool,
    input: item.arguments,
    ...contentView(item.contentItems ?? [], setting),
  }),
  collabAgentToolCall: ({ tool = "agent", prompt, receiverThreadIds, agentsStates }) => ({
    name: tool,
    input: { ...(prompt ? { prompt } : {}), ...(receiverThreadIds?.length ? { agents: receiverThreadIds } : {}) },
    output: agentsStates === undefined ? "" : JSON.stringify(agentsStates),
  }),
  webSearch: ({ query, results }) => ({
    name: "web_search",
    input: { query },
    output: results ? JSON.stringify(results) : "",
  }),
  imageView: ({ path = "" }) => ({ name: "view_image", input: { path }, parts: [imagePart(path)] }),
  imageGeneration: ({ savedPath, revisedPrompt }) => ({
    name: "image_generation",
    input: { prompt: revisedPrompt ?? null },
    parts: savedPath ? [imagePart(savedPath)] : [],
  }),
  functionCallOutput: ({ name = "tool", output }) => ({ name, output: asText(output) }),
  requestUserInput: (item) => ({ name: "request_user_input", input: item.arguments }),
  sleep: ({ durationMs }) => ({ name: "sleep", input: { durationMs } }),
};

export function isTool(item: CodexItem): boolean {
  return item.type !== undefined && Object.hasOwn(views, item.type);
}

export function toolView(item: CodexItem, setting: ConversionSetting): ToolView {
  const view = views[item.type ?? ""]!(item, setting);
  return { input: {}, output: "", parts: [], images: [], ...view };
}

/** `declined` is what became of a request that a person rejected. */
export function toolFailed({ status, success, error }: CodexItem): boolean {
  return status === "failed" || status === "declined" || success === false || Boolean(error);
}

function commandView({ command = "", cwd, status, aggregatedOutput, exitCode, durationMs }: CodexItem): View {
  const ended = typeof exitCode === "number" ? { exit_code: exitCode, duration_ms: durationMs ?? null } : undefined;
  const json = status === "inProgress" ? { running: true } : ended;
  return {
    name: "exec_command",
    input: { command: plainCommand(command), ...(cwd ? { cwd } : {}) },
    output: aggregatedOutput ?? (status === "declined" ? "The command was rejected and did not run." : ""),
    parts: json ? [{ type: "json", json }] : [],
  };
}

function fileChangeView({ changes = [], status }: CodexItem, { calls: { directory } }: ConversionSetting): View {
  const done = status === "completed";
  return {
    name: "apply_patch",
    input: changesInput(changes),
    output: done ? summary(changes, directory) : "The files were not changed.",
    parts: done ? changes.map((change) => fileRef(change, directory)) : [],
  };
}

function mcpView({ server = "", tool = "", result, error, ...item }: CodexItem, setting: ConversionSetting): View {
  const name = `mcp__${server}__${tool}`;
  const input = item.arguments ?? {};
  if (error) return { name, input, output: error.message ?? "" };
  if (typeof result !== "object" || !result) return { name, input };
  const view = contentView(result.content ?? [], setting);
  return { name, input, ...view, output: view.output || asText(result.structuredContent ?? "") };
}

function contentView(content: readonly CodexContent[], { imagesDir }: ConversionSetting) {
  const shown = content.flatMap(({ type, data, mimeType }) =>
    type === "image" && data ? [{ file: imageFile(imagesDir, imageName(data), data, mimeType), mime: mimeType }] : [],
  );
  return {
    output: content.flatMap((part) => (part.type === "image" ? [] : [part.text ?? asText(part)])).join("\n"),
    parts: shown.map(({ file, mime }) => imagePart(file.path, mime)),
    images: shown.map(({ file }) => file),
  };
}

function imagePart(path: string, mime = imageMime(path)): ContentPart {
  return { type: "image", path, mime: mime ?? "image/png" };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
