import { z } from "zod";
import { McpServerConfig, SkillsConfig } from "./mcp.ts";
import { AgentError } from "./problem.ts";
import { Usage } from "./usage.ts";

export const PermissionMode = z
  .enum(["default", "plan", "acceptEdits", "bypass"])
  .meta({ id: "PermissionMode", description: "What the agent may do" });
export type PermissionMode = z.infer<typeof PermissionMode>;

export const CreateSessionRequest = z
  .object({
    agent: z.string().min(1),
    agentMode: z.string().min(1).nullish().describe("What the agent does; default: build"),
    permissionMode: PermissionMode.nullish(),
    model: z.string().min(1).nullish(),
    variant: z.string().min(1).nullish(),
    agentVersion: z.string().min(1).nullish(),
    directory: z.string().min(1).nullish().describe("The agent's working directory"),
    title: z.string().max(500).nullish(),
    mcp: z.record(z.string(), McpServerConfig).nullish(),
    skills: SkillsConfig.nullish(),
    env: z.record(z.string(), z.string()).nullish().describe("Environment of this session's agent alone"),
    systemPrompt: z.string().nullish(),
  })
  .meta({ id: "CreateSessionRequest" });
export type CreateSessionRequest = z.infer<typeof CreateSessionRequest>;

export const CreateSessionResponse = z
  .object({ healthy: z.boolean(), error: AgentError.nullish(), nativeSessionId: z.string().nullish() })
  .meta({ id: "CreateSessionResponse" });
export type CreateSessionResponse = z.infer<typeof CreateSessionResponse>;

export const RenameSessionRequest = z
  .object({ title: z.string().trim().min(1).max(500) })
  .meta({ id: "RenameSessionRequest" });
export type RenameSessionRequest = z.infer<typeof RenameSessionRequest>;

export const SessionStatus = z.enum(["idle", "running", "waiting", "ended"]).meta({ id: "SessionStatus" });
export type SessionStatus = z.infer<typeof SessionStatus>;

export const SessionInfo = z
  .object({
    sessionId: z.string(),
    agent: z.string(),
    agentMode: z.string(),
    permissionMode: PermissionMode,
    model: z.string().nullish(),
    variant: z.string().nullish(),
    nativeSessionId: z.string().nullish(),
    ended: z.boolean(),
    eventCount: z.int().nonnegative(),
    createdAt: z.int().describe("Epoch milliseconds"),
    updatedAt: z.int().describe("Epoch milliseconds"),
    directory: z.string().nullish(),
    title: z.string().nullish(),
    mcp: z.record(z.string(), McpServerConfig).nullish(),
    skills: SkillsConfig.nullish(),
    status: SessionStatus,
    pendingPermissions: z.array(z.string()),
    pendingQuestions: z.array(z.string()),
    usage: Usage.nullish(),
  })
  .meta({ id: "SessionInfo" });
export type SessionInfo = z.infer<typeof SessionInfo>;

export const SessionListResponse = z.object({ sessions: z.array(SessionInfo) }).meta({ id: "SessionListResponse" });
export type SessionListResponse = z.infer<typeof SessionListResponse>;
