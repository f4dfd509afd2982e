export { expectSound } from "./agent-contract.ts";
export { AgentHarness, type HarnessTurn } from "./agent-harness.ts";
export type { AgentScenario, PreparedWorld, Provocation, ProvokingMessage } from "./agent-scenario.ts";
export { describeAgent } from "./describe-agent.ts";
export { assistantText, completedItems, type FeatureName } from "./features.ts";
