import type { ProfileEntity } from "@sandbox-agent-ts/protocol";
import type { FeatureName } from "./features.ts";

export type ProfileFeature = Extract<FeatureName, `profile${string}`>;

/** The feature that shows that an agent takes a part of a profile. */
export const profileFeatures = {
  systemPrompt: "profileSystemPrompt",
  instructions: "profileInstructions",
  skills: "profileSkill",
  subagents: "profileSubagent",
  commands: "profileCommand",
  mcp: "profileMcp",
  hooks: "profileHooks",
  env: "profileEnvironment",
  secrets: "profileSecrets",
  files: "profileFiles",
} as const satisfies Record<ProfileEntity, ProfileFeature>;
