import type { AgentModelsResponse, PermissionMode } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../agent.ts";
import { JsonRpcError } from "../json-rpc/json-rpc-error.ts";
import type { AcpAgent } from "./acp-agent.ts";
import type { OpenedConversation } from "./conversation.ts";
import type { AcpConfigChoice, AcpConfigOption, AcpOpened } from "./dialect.ts";

/** One thing to be told to the agent before the first prompt. */
export interface SettingRequest {
  readonly what: "mode" | "model" | "variant";
  readonly value: string;
  readonly method: string;
  readonly params: object;
}

/** The mode and model that the session wants and the agent does not have yet, as requests. Pure. */
export function settingRequests(
  agent: AcpAgent,
  session: SessionConfig,
  { nativeId: sessionId, opened, isNew }: OpenedConversation,
): SettingRequest[] {
  const mode = wantedMode(agent, session);
  const given = agent.quirks?.modelIsGiven;
  const hasModel = given === "always" || (given === "atFirst" && isNew);
  return [
    ...(mode === undefined ? [] : modeRequest(mode, sessionId, opened)),
    ...(session.model === undefined || hasModel ? [] : modelRequest(session.model, sessionId, opened)),
  ];
}

/** The session's variant, once its model is set: what is offered depends on that. Pure. */
export function variantRequests(
  { variant }: SessionConfig,
  { nativeId }: OpenedConversation,
  current: AcpOpened,
): SettingRequest[] {
  return variant === undefined ? [] : optionRequest("variant", variant, nativeId, current);
}

function wantedMode({ permissionModes }: AcpAgent, { permissionMode, agentMode }: SessionConfig): string | undefined {
  const mode = agentMode === "plan" ? "plan" : permissionMode;
  return (permissionModes?.[mode] ?? permissionModes?.[permissionMode])?.sessionMode;
}

/** For an agent of which nothing else is known. */
export const planInstructions =
  "This session only plans: look around and say what you would do. Commands and changes of files are refused.";

/** What the model is told before the first message: the session's own, and what its agent does not tell. Pure. */
export function firstInstructions(
  { permissionModes, quirks }: AcpAgent,
  ofSession: string | undefined,
  mode: PermissionMode,
): string | undefined {
  const ofUnknown = mode === "plan" ? planInstructions : undefined;
  const ofMode = permissionModes ? permissionModes[mode]?.instructions : ofUnknown;
  const parts = [quirks?.instructionsAreGiven ? undefined : ofSession, ofMode].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** Only one that is there and is not set already: agents refuse what they do not know. */
function modeRequest(modeId: string, sessionId: string, opened: AcpOpened): SettingRequest[] {
  const { modes } = opened;
  if (modes?.availableModes?.some(({ id }) => id === modeId)) {
    if (modes.currentModeId === modeId) return [];
    return [{ what: "mode", value: modeId, method: "session/set_mode", params: { sessionId, modeId } }];
  }
  const offered = findOption(opened, "mode");
  if (!offered || !choicesOf(offered).some(({ value }) => value === modeId)) return [];
  return optionRequest("mode", modeId, sessionId, opened);
}

function modelRequest(modelId: string, sessionId: string, opened: AcpOpened): SettingRequest[] {
  if (findOption(opened, "model")) return optionRequest("model", modelId, sessionId, opened);
  if (opened.models?.currentModelId === modelId) return [];
  return [{ what: "model", value: modelId, method: "session/set_model", params: { sessionId, modelId } }];
}

function optionRequest(
  what: SettingRequest["what"],
  value: string,
  sessionId: string,
  opened: AcpOpened,
): SettingRequest[] {
  const option = findOption(opened, what);
  if (!option || option.currentValue === value) return [];
  const params = { sessionId, configId: option.id, value };
  return [{ what, value, method: "session/set_config_option", params }];
}

const categories: Readonly<Record<SettingRequest["what"], { category: string; id: RegExp }>> = {
  mode: { category: "mode", id: /^mode$/ },
  model: { category: "model", id: /^model$/ },
  variant: { category: "thought_level", id: /effort|thinking|thought/ },
};

/** By its category; older agents have only ids. */
export function findOption(
  { configOptions }: Pick<AcpOpened, "configOptions">,
  what: SettingRequest["what"],
): AcpConfigOption | undefined {
  const { category, id } = categories[what];
  const options = configOptions ?? [];
  return options.find((option) => option.category === category) ?? options.find((option) => id.test(option.id ?? ""));
}

function choicesOf({ options = [] }: AcpConfigOption): readonly AcpConfigChoice[] {
  return options.flatMap((choice) => choice.options ?? [choice]);
}

/** A sentence about a variant that the agent does not offer, which it would not even be told. Pure. */
export function unofferedVariant(
  { displayName }: AcpAgent,
  { variant }: SessionConfig,
  opened: AcpOpened,
): string | undefined {
  if (variant === undefined) return undefined;
  const option = findOption(opened, "variant");
  const offered = option ? choicesOf(option).flatMap(({ value }) => value ?? []) : [];
  if (offered.includes(variant)) return undefined;
  const instead = offered.length === 0 ? "It has none with its model" : `It has: ${offered.join(", ")}`;
  return `${displayName} has no variant "${variant}". ${instead}. Choose another one for the session; from now on it works without.`;
}

/** A sentence about a setting that the agent refused. Pure. */
export function refusedSetting(
  { displayName }: AcpAgent,
  { what, value }: SettingRequest,
  error: unknown,
  opened: AcpOpened,
): string {
  const why = error instanceof JsonRpcError ? error.message : String(error);
  const option = findOption(opened, what);
  const instead = option?.currentValue === undefined ? "its own" : String(option.currentValue);
  return `${displayName} does not take the ${what} ${value} (${why}). Choose another one for the session; from now on it uses ${instead}.`;
}

/** The models that the agent offers. Pure. */
export function readModels(opened: AcpOpened): AgentModelsResponse {
  const option = findOption(opened, "model");
  const levels = findOption(opened, "variant");
  const variants = (levels ? choicesOf(levels) : []).flatMap(({ value }) => value ?? []);
  const told = option
    ? choicesOf(option).map(({ value, name }) => ({ id: value, name }))
    : (opened.models?.availableModels ?? []).map(({ modelId, name }) => ({ id: modelId, name }));
  const current = option ? option.currentValue : opened.models?.currentModelId;
  const defaultModel = typeof current === "string" && current !== "" ? current : undefined;
  const missing =
    defaultModel !== undefined && !told.some(({ id }) => id === defaultModel)
      ? [{ id: defaultModel, name: undefined }]
      : [];
  const models = [...missing, ...told].flatMap(({ id, name }) =>
    id === undefined ? [] : [{ id, ...(name ? { name } : {}), ...(variants.length > 1 ? { variants } : {}) }],
  );
  return { models, ...(defaultModel === undefined ? {} : { defaultModel }) };
}

/** A conversation that is loaded keeps its model, so one that goes back to the agent's own is told which that is. */
export async function wantedModel({ session, agent, place, models }: ModelSources): Promise<{ model?: string }> {
  const own = async () => agent.quirks?.ownModel?.(place.env) ?? (await models()).defaultModel;
  const model = session.usesOwnModel ? await own() : session.model;
  return model ? { model } : {};
}

interface ModelSources {
  readonly session: SessionConfig;
  readonly agent: AcpAgent;
  readonly place: { readonly env: Readonly<Record<string, string>> };
  readonly models: () => Promise<AgentModelsResponse>;
}
