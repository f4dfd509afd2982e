import { z } from "zod";
import { ProblemDetails } from "./problem.ts";
import { HookEvent, ProfileEntity } from "./profile.ts";

const capabilityNames = [
  "planMode",
  "permissions",
  "questions",
  "toolCalls",
  "toolResults",
  "textMessages",
  "images",
  "fileAttachments",
  "sessionLifecycle",
  "errorEvents",
  "reasoning",
  "status",
  "commandExecution",
  "fileChanges",
  "mcpTools",
  "streamingDeltas",
  "itemStarted",
  "sharedProcess",
] as const;
export type CapabilityName = (typeof capabilityNames)[number];

export const AgentCapabilities = z
  .object(
    Object.fromEntries(capabilityNames.map((name) => [name, z.boolean()])) as Record<CapabilityName, z.ZodBoolean>,
  )
  .meta({ id: "AgentCapabilities" });
export type AgentCapabilities = z.infer<typeof AgentCapabilities>;

export const ServerStatusInfo = z
  .object({
    status: z.enum(["running", "stopped", "error"]),
    restartCount: z.int().nonnegative(),
    baseUrl: z.string().nullish(),
    lastError: z.string().nullish(),
    uptimeMs: z.int().nonnegative().nullish(),
  })
  .meta({ id: "ServerStatusInfo", description: "The process that an agent's sessions share" });
export type ServerStatusInfo = z.infer<typeof ServerStatusInfo>;

export const AgentProfileSupport = z
  .object({ takes: z.array(ProfileEntity), hookEvents: z.array(HookEvent) })
  .meta({ id: "AgentProfileSupport", description: "What of a profile the agent takes" });
export type AgentProfileSupport = z.infer<typeof AgentProfileSupport>;

export const AgentInfo = z
  .object({
    id: z.string(),
    name: z.string().optional(),
    installed: z.boolean(),
    credentialsAvailable: z.boolean(),
    version: z.string().nullish(),
    path: z.string().nullish(),
    source: z
      .enum(["environment", "installed", "path"])
      .nullish()
      .describe("Where that program is from: a `SANDBOX_AGENT_…_BIN` variable, the data directory, `PATH`"),
    pinnedVersion: z.string().nullish().describe("What is installed when nothing else is asked for"),
    newestVersion: z.string().nullish().describe("What can be had, where that was asked for and found out"),
    installedVersions: z
      .array(
        z.object({
          version: z.string(),
          from: z
            .enum(["npm", "vendor", "directory"])
            .describe("npm's registry, a release of the vendor, or files of yours"),
        }),
      )
      .nullish()
      .describe("In the data directory, the one installed last first"),
    capabilities: AgentCapabilities,
    profile: AgentProfileSupport.nullish(),
    serverStatus: ServerStatusInfo.nullish(),
  })
  .meta({ id: "AgentInfo" });
export type AgentInfo = z.infer<typeof AgentInfo>;

export const AgentListResponse = z.object({ agents: z.array(AgentInfo) }).meta({ id: "AgentListResponse" });
export type AgentListResponse = z.infer<typeof AgentListResponse>;

const InstalledArtifact = z
  .object({
    kind: z.enum(["program", "dependency"]).describe("The agent's own program, or another one that it needs"),
    name: z.string(),
    version: z.string().nullish(),
    path: z.string(),
    source: z.enum(["registry", "cache", "installed"]).describe("`installed`: it was there already"),
    downloadedBytes: z.int().nonnegative(),
  })
  .meta({ id: "InstalledArtifact" });

export const AgentInstallResponse = z
  .object({
    already_installed: z.boolean().describe("Everything was there already"),
    artifacts: z.array(InstalledArtifact).describe("Empty for an agent that needs no program"),
  })
  .meta({ id: "AgentInstallResponse" });
export type AgentInstallResponse = z.infer<typeof AgentInstallResponse>;

export const AgentInstallRequest = z
  .object({ reinstall: z.boolean().nullish().describe("Even if it is there") })
  .meta({ id: "AgentInstallRequest" });
export type AgentInstallRequest = z.infer<typeof AgentInstallRequest>;

const AgentInstallProgress = z
  .object({
    type: z.literal("progress"),
    program: z.string().describe("The agent's own, or one that it needs"),
    version: z.string(),
    step: z
      .enum(["wait", "registry", "resolve", "download", "unpack", "verify", "store"])
      .describe("`wait`: another process installs the same program"),
    package: z.string().nullish().describe("`name@version`, for the steps that have one"),
    bytes: z.int().nonnegative().nullish().describe("Downloaded or unpacked so far; begins at 0 when tried again"),
    total: z.int().nonnegative().nullish().describe("Of so many, where that is known"),
  })
  .meta({ id: "AgentInstallProgress" });
export type AgentInstallProgress = z.infer<typeof AgentInstallProgress>;

export const AgentInstallEvent = z
  .discriminatedUnion("type", [
    AgentInstallProgress,
    z.object({ type: z.literal("installed"), result: AgentInstallResponse }),
    z.object({ type: z.literal("failed"), problem: ProblemDetails }),
  ])
  .meta({
    id: "AgentInstallEvent",
    description: "What happens during an installation; the last one says how it ended",
  });
export type AgentInstallEvent = z.infer<typeof AgentInstallEvent>;

export const AgentMode = z
  .object({ id: z.string(), name: z.string(), description: z.string() })
  .meta({ id: "AgentMode" });
export type AgentMode = z.infer<typeof AgentMode>;

export const AgentModesResponse = z.object({ modes: z.array(AgentMode) }).meta({ id: "AgentModesResponse" });
export type AgentModesResponse = z.infer<typeof AgentModesResponse>;

export const AgentModel = z
  .object({
    id: z.string(),
    name: z.string().nullish(),
    variants: z.array(z.string()).nullish(),
    defaultVariant: z.string().nullish(),
  })
  .meta({ id: "AgentModel" });
export type AgentModel = z.infer<typeof AgentModel>;

export const AgentModelsResponse = z
  .object({ models: z.array(AgentModel), defaultModel: z.string().nullish() })
  .meta({ id: "AgentModelsResponse" });
export type AgentModelsResponse = z.infer<typeof AgentModelsResponse>;
