import { startModel } from "@sandbox-agent-ts/testing/model";
import type { WorldNeeds } from "../../../contract/agent-scenario.ts";
import type { ModelConversation } from "../../../contract/model-script.ts";
import { makeScriptedWorld, type ScriptedWorld } from "../../../contract/scripted-world.ts";
import { adapter } from "../index.ts";
import { environment, scenario } from "./contract-scenario.ts";

/** `config` is what the user's has besides. */
export function makeOpencodeWorld(conversations: ModelConversation[], config: object = {}): Promise<ScriptedWorld> {
  const prepare = async ({ script }: WorldNeeds) => {
    const model = await startModel({ script });
    return { env: environment(model.openaiUrl, config), model, dispose: () => model.close() };
  };
  return makeScriptedWorld(adapter, { ...scenario, prepare }, conversations);
}

export function calls(name: string, input: Record<string, unknown>): ModelConversation["steps"][number] {
  return { toolCalls: [{ name, input }] };
}

export function runs(command: string): ModelConversation["steps"][number] {
  return calls("bash", { command, description: "Run it" });
}
