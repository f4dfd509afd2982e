import { z } from "zod";

export const ActionKind = z
  .enum(["read", "edit", "delete", "move", "execute", "fetch", "mcp", "other"])
  .meta({ id: "ActionKind", description: "What a tool call does, whatever the agent calls its tool" });
export type ActionKind = z.infer<typeof ActionKind>;
