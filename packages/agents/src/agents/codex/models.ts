import type { AgentModelsResponse } from "@sandbox-agent-ts/protocol";
import type { CodexModel } from "./dialect.ts";

export function readModels(models: readonly CodexModel[]): AgentModelsResponse {
  const shown = models.filter((model): model is CodexModel & { id: string } => Boolean(model.id) && !model.hidden);
  const defaultModel = shown.find(({ isDefault }) => isDefault)?.id;
  return {
    models: shown.map(({ id, displayName, supportedReasoningEfforts = [], defaultReasoningEffort }) => {
      const variants = supportedReasoningEfforts.flatMap(({ reasoningEffort }) => reasoningEffort ?? []);
      const hasDefault = defaultReasoningEffort !== undefined && variants.includes(defaultReasoningEffort);
      return {
        id,
        ...(displayName ? { name: displayName } : {}),
        ...(variants.length > 0 ? { variants } : {}),
        ...(hasDefault ? { defaultVariant: defaultReasoningEffort } : {}),
      };
    }),
    ...(defaultModel === undefined ? {} : { defaultModel }),
  };
}
