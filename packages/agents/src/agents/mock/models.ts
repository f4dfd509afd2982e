import type { AgentModelsResponse } from "@sandbox-agent-ts/protocol";

export const defaultModel = "mock-1";

export const models: AgentModelsResponse = {
  models: [
    { id: defaultModel, name: "Mock 1", variants: ["low", "high"], defaultVariant: "low" },
    { id: "mock-2", name: "Mock 2" },
  ],
  defaultModel,
};
