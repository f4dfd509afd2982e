import type { AgentModelsResponse } from "@sandbox-agent-ts/protocol";
import type { ModelRefusal, ModelWish } from "../agent.ts";

/** Refuses a model that is not listed, for an agent that takes no other. Pure. */
export function refuseUnlisted(agent: string, models: AgentModelsResponse, wish: ModelWish): ModelRefusal | undefined {
  const known = models.models.map(({ id }) => id);
  if (wish.model === undefined || known.includes(wish.model)) return refuseVariant(agent, models, wish);
  return { field: "model", message: `${agent} has no model "${wish.model}". It has: ${known.join(", ")}.` };
}

/**
 * Refuses a variant that a listed model does not have. `ofOthers` are those of models that are not listed; without them
 * nothing is known of such a model. Pure.
 */
export function refuseVariant(
  agent: string,
  { models, defaultModel }: AgentModelsResponse,
  wish: ModelWish,
  ofOthers?: readonly string[],
): ModelRefusal | undefined {
  const { variant, model = defaultModel ?? undefined } = wish;
  const listed = models.find(({ id }) => id === model);
  const variants = listed ? (listed.variants ?? []) : ofOthers;
  if (variant === undefined || !variants || variants.includes(variant)) return undefined;
  const whose = model === undefined ? agent : `${agent} with the model ${model}`;
  const instead = variants.length === 0 ? "none; leave the variant out" : variants.join(", ");
  return { field: "variant", message: `${whose} has no variant "${variant}". It has: ${instead}.` };
}
