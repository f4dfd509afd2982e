import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ScriptedModel, startModel } from "@sandbox-agent-ts/testing";
import type { WorldNeeds } from "../../../contract/agent-scenario.ts";
import type { ModelConversation } from "../../../contract/model-script.ts";
import { makeScriptedWorld, type ScriptedWorld } from "../../../contract/scripted-world.ts";
import { adapter } from "../index.ts";
import { scenario } from "./contract-scenario.ts";

export type CodexWorld = ScriptedWorld<ScriptedModel>;

export interface CodexWorldOptions {
  readonly conversations: ModelConversation[];
  /** The user's `config.toml`, for a model at this address. Default: none. */
  config?(url: string): string;
  env?(url: string): Record<string, string>;
}

export function makeCodexWorld({ conversations, config, env }: CodexWorldOptions): Promise<CodexWorld> {
  const prepare = async ({ home, script }: WorldNeeds) => {
    const model = await startModel({ script });
    await mkdir(join(home, ".codex"));
    if (config) await writeFile(join(home, ".codex", "config.toml"), config(model.openaiUrl));
    return { env: env?.(model.openaiUrl) ?? {}, model, dispose: () => model.close() };
  };
  return makeScriptedWorld(adapter, { ...scenario, prepare }, conversations, { model: "gpt-5.5" });
}

/** A provider that takes its key from the login. */
export function loginConfig(url: string): string {
  return `model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
requires_openai_auth = true
`;
}

export function keyConfig(url: string): string {
  return loginConfig(url).replace("requires_openai_auth = true", 'env_key = "SCRIPTED_KEY"');
}
