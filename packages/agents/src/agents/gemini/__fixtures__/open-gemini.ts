import type { ScriptedModel } from "@sandbox-agent/testing";
import type { SessionConfig } from "../../../agent.ts";
import { AgentHarness } from "../../../contract/agent-harness.ts";
import { type ContractWorld, installProgramOf, makeContractWorld } from "../../../contract/contract-world.ts";
import type { ModelConversation } from "../../../contract/model-script.ts";
import { adapter } from "../index.ts";
import { scenario } from "./contract-scenario.ts";

export const MODEL = "gemini-3.8-flash";

export interface GeminiWorld extends Omit<ContractWorld, "model"> {
  readonly model: ScriptedModel;
  open(session?: Partial<SessionConfig>): Promise<AgentHarness>;
}

/** The real program with a model that says this; as in the contract suite, but with conversations of one's own. */
export async function makeGeminiWorld(...conversations: ModelConversation[]): Promise<GeminiWorld> {
  const world = await makeContractWorld({
    provoke: scenario.provoke,
    prepare: async (needs) => {
      const prepared = await scenario.prepare?.({ ...needs, script: { conversations } });
      if (!prepared) throw new Error("The scenario prepares a model.");
      return prepared;
    },
  });
  await installProgramOf(adapter, world);
  return {
    ...world,
    model: world.model as ScriptedModel,
    async open(session = {}) {
      const directory = session.directory ?? (await world.makeDirectory({}));
      return AgentHarness.open(adapter, { directory, model: MODEL, ...session }, { host: world.host });
    },
  };
}

/** What the model says from this message on. */
export function when(prompt: string, ...steps: ModelConversation["steps"]): ModelConversation {
  return { name: prompt, when: { prompt }, steps };
}
