import { z } from "zod";
import { PermissionPolicy, RequestTimeout } from "./policy.ts";

export const PermissionMode = z
  .enum(["default", "plan", "acceptEdits", "bypass"])
  .meta({ id: "PermissionMode", description: "What the agent may do" });
export type PermissionMode = z.infer<typeof PermissionMode>;

export const SessionChanges = z
  .object({
    title: z.string().optional(),
    model: z.string().nullable().optional().describe("null: the agent's default"),
    variant: z.string().nullable().optional(),
    agent_mode: z.string().optional(),
    permission_mode: PermissionMode.optional(),
    policy: PermissionPolicy.nullable().optional(),
    request_timeout: RequestTimeout.nullable().optional(),
  })
  .meta({ id: "SessionChanges", description: "Settings of a session that changed" });
export type SessionChanges = z.infer<typeof SessionChanges>;
