import { z } from "zod";
import { EnvironmentVariables } from "./environment.ts";
import { McpServerConfig, McpServerRequest, SkillsConfig } from "./mcp.ts";
import { PermissionPolicy, RequestTimeout } from "./policy.ts";
import { AgentError } from "./problem.ts";
import { AgentProfile, ProfileLoss } from "./profile.ts";
import { RestoreRequest } from "./restore.ts";
import { SandboxRequest, SessionRuntimeState } from "./sandbox.ts";
import { PermissionMode } from "./session-settings.ts";
import { ActionKind } from "./tool-call.ts";
import { Cost, Usage } from "./usage.ts";

/** How much `metadata` may be, as JSON in UTF-8. */
const maxMetadataBytes = 64 * 1024;

export const SessionMetadata = z
  .record(z.string(), z.unknown())
  .refine(
    (metadata) => new TextEncoder().encode(JSON.stringify(metadata)).length <= maxMetadataBytes,
    `has at most ${maxMetadataBytes} bytes as JSON`,
  )
  .meta({ id: "SessionMetadata", description: "What a client wants to find again with the session; at most 64 KiB" });
export type SessionMetadata = z.infer<typeof SessionMetadata>;

export const CreateSessionRequest = z
  .object({
    agent: z.string().min(1).describe("An id of `GET /v1/agents`"),
    agentMode: z.string().min(1).nullish().describe("What the agent does; default: build"),
    permissionMode: PermissionMode.nullish().describe("What the agent may do; default: default"),
    model: z.string().min(1).nullish().describe("An id of `GET /v1/agents/{agent}/models`; default: the agent's own"),
    variant: z.string().min(1).nullish().describe("One of the model's variants, e.g. how much it thinks"),
    agentVersion: z
      .string()
      .min(1)
      .nullish()
      .describe("An exact version, or `latest` for the newest there is; default: the one that is installed, or ours"),
    directory: z.string().min(1).nullish().describe("The agent's working directory"),
    title: z.string().max(500).nullish().describe("Default: the first line of the first message"),
    name: z.string().max(500).nullish().describe("The title, where `title` is not given"),
    mcp: z.record(z.string(), McpServerRequest).nullish().describe("MCP servers of this session alone, by name"),
    skills: SkillsConfig.nullish().describe("Skills of this session alone"),
    env: EnvironmentVariables.nullish().describe("Environment of this session's agent alone"),
    systemPrompt: z.string().nullish().describe("Added to the agent's own"),
    policy: PermissionPolicy.nullish().describe("Rules that answer permissions without a person"),
    requestTimeout: RequestTimeout.nullish().describe("What becomes of requests that nobody answers"),
    metadata: SessionMetadata.nullish().describe("What you want to find again with the session; at most 64 KiB"),
    profile: z
      .union([z.string().min(1), AgentProfile])
      .nullish()
      .describe("What the agent is given; a name, or name@version, is known to a runtime only"),
    sandbox: SandboxRequest.nullish().describe("For a runtime: which sandbox the session gets"),
    restore: RestoreRequest.nullish().describe("The conversation to go on with"),
  })
  .meta({ id: "CreateSessionRequest" });
export type CreateSessionRequest = z.infer<typeof CreateSessionRequest>;

export const CreateSessionResponse = z
  .object({
    healthy: z.boolean(),
    error: AgentError.nullish(),
    nativeSessionId: z.string().nullish(),
    profileLosses: z.array(ProfileLoss).nullish(),
  })
  .meta({ id: "CreateSessionResponse" });
export type CreateSessionResponse = z.infer<typeof CreateSessionResponse>;

export const UpdateSessionRequest = z
  .object({
    title: z.string().trim().min(1).max(500).optional().describe("What it is called in lists"),
    model: z.string().min(1).nullable().optional().describe("null: the agent's default"),
    variant: z.string().min(1).nullable().optional().describe("null: the model's default"),
    agentMode: z.string().min(1).optional().describe("What the agent does"),
    permissionMode: PermissionMode.optional().describe("What the agent may do"),
    policy: PermissionPolicy.nullable().optional().describe("null: none"),
    requestTimeout: RequestTimeout.nullable().optional().describe("null: requests wait for a person"),
  })
  .refine(
    (changes) => Object.keys(changes).length > 0,
    "Name at least one setting to change, e.g. `model` or `permissionMode`",
  )
  .meta({ id: "UpdateSessionRequest", minProperties: 1, description: "Settings to change; absent ones stay" });
export type UpdateSessionRequest = z.infer<typeof UpdateSessionRequest>;

export const SessionStatus = z.enum(["idle", "running", "waiting", "ended"]).meta({ id: "SessionStatus" });
export type SessionStatus = z.infer<typeof SessionStatus>;

export const PendingRequest = z
  .object({
    type: z.enum(["permission", "question", "plan"]),
    id: z.string().describe("`permission_id` or `question_id`"),
    summary: z.string().describe("What is asked, cut after 500 characters"),
    kind: ActionKind.nullish(),
    tool: z.string().nullish(),
    paths: z.array(z.string()).nullish().describe("At most 20"),
    command: z.string().nullish().describe("Cut after 500 characters"),
    url: z.string().nullish(),
    options: z.array(z.string()).nullish().describe("Labels of the first question"),
    callId: z.string().nullish(),
    itemId: z.string().nullish(),
  })
  .meta({ id: "PendingRequest", description: "What waits for a person; the event in the log says it all" });
export type PendingRequest = z.infer<typeof PendingRequest>;

export const SessionInfo = z
  .object({
    sessionId: z.string(),
    agent: z.string(),
    agentVersion: z.string().nullish().describe("Which it began with and keeps, of an agent that we installed"),
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
    pendingRequests: z.array(PendingRequest).nullish(),
    queuedTurns: z.int().nonnegative().nullish().describe("Messages that wait behind the running turn"),
    usage: Usage.nullish().describe("Of all turns"),
    cost: Cost.nullish().describe("Of all turns, where the agent tells"),
    policy: PermissionPolicy.nullish(),
    requestTimeout: RequestTimeout.nullish(),
    problem: z
      .string()
      .nullish()
      .describe("Why the session can only be read and deleted, e.g. because its files are damaged"),
    metadata: SessionMetadata.nullish(),
    profile: z.string().nullish().describe("Of a runtime: its name and version"),
    profileLosses: z.array(ProfileLoss).nullish().describe("What the agent does not get of its profile"),
    commands: z
      .array(z.object({ name: z.string(), description: z.string().nullish() }))
      .nullish()
      .describe("What a message may begin with as `/name`, of the profile"),
    runtime: SessionRuntimeState.nullish(),
  })
  .meta({ id: "SessionInfo" });
export type SessionInfo = z.infer<typeof SessionInfo>;
