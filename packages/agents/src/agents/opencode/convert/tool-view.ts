import type { ContentPart, FileRefPart } from "@sandbox-agent-ts/protocol";
import { diffTexts } from "../../../diff/unified-diff.ts";
import { type ImageFile, imageFile } from "../../../images/image-file.ts";
import type { Part, ToolState } from "../dialect.ts";
import type { ConversionSetting } from "./opencode-state.ts";

interface ToolView {
  readonly output: string;
  readonly parts: readonly ContentPart[];
  readonly images: readonly ImageFile[];
}

/** What came of a tool. `diff` is what a person was shown when asked about it. */
export function toolView(part: Part, setting: ConversionSetting, diff: string | undefined): ToolView {
  const { state = {} } = part;
  if (state.status === "error") return { output: state.error ?? "", parts: [], images: [] };
  const pictures = (state.attachments ?? []).flatMap((attachment) => pictureOf(attachment, part, setting));
  return {
    output: outputOf(state),
    parts: [...exitOf(state), ...fileRefs(part, setting, diff), ...pictures.map(({ shown }) => shown)],
    images: pictures.flatMap(({ file }) => file ?? []),
  };
}

/** For OpenCode a command that fails is a tool that succeeded, and so is a call of a tool that does not exist. */
export function toolFailed({ tool, state = {} }: Part): boolean {
  const exit = state.metadata?.exit;
  return state.status === "error" || tool === "invalid" || (typeof exit === "number" && exit !== 0);
}

/** Where an output was too long for the model, and cut or left out, what a person is shown of it says more. */
function outputOf({ output = "", metadata = {} }: ToolState): string {
  return metadata.truncated && typeof metadata.output === "string" ? metadata.output : output;
}

function exitOf({ metadata = {} }: ToolState): ContentPart[] {
  return typeof metadata.exit === "number" ? [{ type: "json", json: { exit_code: metadata.exit } }] : [];
}

function fileRefs({ tool, state = {} }: Part, { directory }: ConversionSetting, diff?: string): FileRefPart[] {
  const { input = {}, metadata = {} } = state;
  const path = resolve(directory, metadata.filepath ?? String(input.filePath ?? ""));
  switch (tool) {
    case "read":
      return [{ type: "file_ref", path, action: "read" }];
    case "write":
      return [{ type: "file_ref", path, action: "write", ...diffOf(diff ?? creation(path, state)) }];
    case "edit":
    case "multiedit":
      return [{ type: "file_ref", path, action: "patch", ...diffOf(metadata.diff ?? diff) }];
    default:
      return (metadata.files ?? []).flatMap(({ filePath, movePath, type, patch }) => {
        if (filePath === undefined) return [];
        const action = type === "add" ? "write" : "patch";
        return [{ type: "file_ref" as const, path: movePath ?? filePath, action, ...diffOf(patch) }];
      });
  }
}

function diffOf(diff: string | undefined): { diff?: string } {
  return diff === undefined ? {} : { diff: unifiedDiff(diff) };
}

/** Without the two lines before each file that are no part of a unified diff. */
export function unifiedDiff(diff: string): string {
  return diff.replace(/^Index: .*\n=+\n/gm, "");
}

function creation(path: string, { input = {}, metadata = {} }: ToolState): string | undefined {
  const isNew = metadata.exists === false && typeof input.content === "string";
  return isNew ? diffTexts(path, undefined, input.content as string) : undefined;
}

interface Picture {
  readonly shown: ContentPart;
  readonly file?: ImageFile;
}

/** What `read` shows is a file already. */
function pictureOf(attachment: Part, { tool, state }: Part, setting: ConversionSetting): Picture[] {
  const read = tool === "read" && state?.input?.filePath;
  if (!attachment.mime?.startsWith("image/")) return [];
  if (!read) return imageOf(attachment, setting);
  return [{ shown: { type: "image", path: resolve(setting.directory, String(read)), mime: attachment.mime } }];
}

export function imageOf({ id = "image", mime = "", url = "" }: Part, { imagesDir }: ConversionSetting): Picture[] {
  const base64 = /^data:image\/[^,]*;base64,(.*)$/s.exec(url)?.[1];
  if (base64 === undefined) return [];
  const file = imageFile(imagesDir, id, base64, mime);
  return [{ shown: { type: "image", path: file.path, mime }, file }];
}

/** Without what Node has for it: transcripts are read in browsers too. */
function resolve(directory: string, path: string): string {
  return /^(\/|[A-Za-z]:[\\/])/.test(path) ? path : `${directory}/${path.replace(/^(\.\/)+/, "")}`;
}
