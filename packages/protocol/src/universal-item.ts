import { z } from "zod";
import { ContentPart } from "./content-part.ts";

export const ItemKind = z
  .enum(["message", "tool_call", "tool_result", "system", "status", "unknown"])
  .meta({ id: "ItemKind" });
export type ItemKind = z.infer<typeof ItemKind>;

export const ItemRole = z.enum(["user", "assistant", "system", "tool"]).meta({ id: "ItemRole" });
export type ItemRole = z.infer<typeof ItemRole>;

export const ItemStatus = z.enum(["in_progress", "completed", "failed"]).meta({ id: "ItemStatus" });
export type ItemStatus = z.infer<typeof ItemStatus>;

export const UniversalItem = z
  .object({
    item_id: z.string(),
    native_item_id: z.string().nullish(),
    parent_id: z.string().nullish().describe("The item this one belongs to, e.g. the tool call that runs a subagent"),
    kind: ItemKind,
    role: ItemRole.nullish(),
    status: ItemStatus,
    content: z.array(ContentPart),
  })
  .meta({ id: "UniversalItem", description: "A thing in a turn: a message, a tool call, its result, a status" });
export type UniversalItem = z.infer<typeof UniversalItem>;
