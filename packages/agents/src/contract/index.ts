export { expectSound } from "./agent-contract.ts";
export { AgentHarness, type HarnessTurn } from "./agent-harness.ts";
export type {
  AgentScenario,
  PreparedWorld,
  Provocation,
  ProvokingMessage,
  Skipped,
  WorldNeeds,
} from "./agent-scenario.ts";
export { describeAgent } from "./describe-agent.ts";
export { type FeatureName, featureNames, features } from "./features.ts";
export type { ModelConversation, ModelScript, ModelStep, ModelToolCall, ModelWitness } from "./model-script.ts";
export { profilePrompt } from "./profile-fixture.ts";
export { scriptOf } from "./script-of.ts";
export { scriptedFeatures } from "./scripted/scripted-features.ts";
export type { ScriptedQuestion, ScriptedTools } from "./scripted/scripted-tools.ts";
export { assistantText, completedItems } from "./stream-readers.ts";
