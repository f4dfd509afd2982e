import type { ModelConversation } from "../../../contract/model-script.ts";
import { makeScriptedWorld, type ScriptedWorld } from "../../../contract/scripted-world.ts";
import { adapter } from "../index.ts";
import { scenario } from "./contract-scenario.ts";

export function makeClaudeWorld(conversations: ModelConversation[]): Promise<ScriptedWorld> {
  return makeScriptedWorld(adapter, scenario, conversations);
}
