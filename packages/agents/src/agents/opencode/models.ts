import type { AgentModelsResponse } from "@sandbox-agent-ts/protocol";
import type { NativeModel, NativeProviders } from "./dialect.ts";

/** Models are named `provider/model`. `configured` is the one the user's config names. */
export function readModels({ providers = [], default: defaults = {} }: NativeProviders, configured?: string) {
  const models = providers.flatMap(({ id: providerId, models: own = {} }) =>
    Object.entries(own).map(([id, { name, variants = {} }]) => ({
      id: `${providerId}/${id}`,
      ...(name ? { name } : {}),
      ...(Object.keys(variants).length > 0 ? { variants: Object.keys(variants) } : {}),
    })),
  );
  const offered = providers.map(({ id = "" }) => `${id}/${defaults[id]}`);
  const defaultModel = [configured, ...offered].find((id) => models.some((model) => model.id === id));
  return { models, ...(defaultModel === undefined ? {} : { defaultModel }) } satisfies AgentModelsResponse;
}

export interface ModelChoice {
  readonly providerID: string;
  readonly modelID: string;
}

/** A model without a provider is the first one of that name, else one that the default provider is asked for. */
export function chooseModel(model: string, { providers = [] }: NativeProviders): ModelChoice {
  const slash = model.indexOf("/");
  const named = { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) };
  if (slash > 0 && providers.some(({ id }) => id === named.providerID)) return named;
  const owner =
    providers.find(({ models = {} }) => Object.hasOwn(models, model)) ?? (slash > 0 ? undefined : providers[0]);
  return owner?.id === undefined ? named : { providerID: owner.id, modelID: model };
}

export function hasModel({ providers = [] }: NativeProviders, { id = "", providerID }: NativeModel = {}): boolean {
  return providers.some(({ id: provider, models = {} }) => provider === providerID && Object.hasOwn(models, id));
}
