import type { ScriptedModel } from "@sandbox-agent-ts/testing";
import type { ModelConversation } from "../../../contract/model-script.ts";
import { makeScriptedWorld, type ScriptedWorld } from "../../../contract/scripted-world.ts";
import { adapter } from "../index.ts";
import { scenario } from "./contract-scenario.ts";

export const MODEL = "gemini-3.8-flash";

export type GeminiWorld = ScriptedWorld<ScriptedModel>;

export function makeGeminiWorld(...conversations: ModelConversation[]): Promise<GeminiWorld> {
  return makeScriptedWorld(adapter, scenario, conversations, { model: MODEL });
}
