import { z } from "zod";

export const TextPart = z.object({ type: z.literal("text"), text: z.string() }).meta({ id: "TextPart" });
export type TextPart = z.infer<typeof TextPart>;

export const JsonPart = z.object({ type: z.literal("json"), json: z.unknown() }).meta({ id: "JsonPart" });
export type JsonPart = z.infer<typeof JsonPart>;

export const ToolCallPart = z
  .object({
    type: z.literal("tool_call"),
    name: z.string(),
    arguments: z.string().describe("JSON-encoded arguments"),
    call_id: z.string(),
  })
  .meta({ id: "ToolCallPart" });
export type ToolCallPart = z.infer<typeof ToolCallPart>;

export const ToolResultPart = z
  .object({ type: z.literal("tool_result"), call_id: z.string(), output: z.string() })
  .meta({ id: "ToolResultPart" });
export type ToolResultPart = z.infer<typeof ToolResultPart>;

export const FileRefPart = z
  .object({
    type: z.literal("file_ref"),
    path: z.string(),
    action: z.enum(["read", "write", "patch"]),
    diff: z.string().nullish().describe("Unified diff"),
  })
  .meta({ id: "FileRefPart" });
export type FileRefPart = z.infer<typeof FileRefPart>;

export const ReasoningPart = z
  .object({ type: z.literal("reasoning"), text: z.string(), visibility: z.enum(["public", "private"]) })
  .meta({ id: "ReasoningPart" });
export type ReasoningPart = z.infer<typeof ReasoningPart>;

export const ImagePart = z
  .object({ type: z.literal("image"), path: z.string(), mime: z.string().nullish() })
  .meta({ id: "ImagePart" });
export type ImagePart = z.infer<typeof ImagePart>;

export const StatusPart = z
  .object({ type: z.literal("status"), label: z.string(), detail: z.string().nullish() })
  .meta({ id: "StatusPart" });
export type StatusPart = z.infer<typeof StatusPart>;

export const ContentPart = z
  .discriminatedUnion("type", [
    TextPart,
    JsonPart,
    ToolCallPart,
    ToolResultPart,
    FileRefPart,
    ReasoningPart,
    ImagePart,
    StatusPart,
  ])
  .meta({ id: "ContentPart" });
export type ContentPart = z.infer<typeof ContentPart>;
