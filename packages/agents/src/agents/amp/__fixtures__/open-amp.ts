import type { SessionConfig } from "../../../agent.ts";
import { AgentHarness } from "../../../contract/agent-harness.ts";
import { type ContractWorld, installProgramOf, makeContractWorld } from "../../../contract/contract-world.ts";
import type { ModelConversation, ModelWitness } from "../../../contract/model-script.ts";
import { adapter } from "../index.ts";
import { scenario } from "./contract-scenario.ts";

export interface AmpWorld extends ContractWorld {
  readonly model: ModelWitness;
  open(session?: Partial<SessionConfig>, given?: Given): Promise<AgentHarness>;
}

interface Given {
  readonly env?: Record<string, string>;
  readonly files?: Record<string, string>;
}

/** The real program with a service that says this; as in the contract suite, but with conversations of one's own. */
export async function makeAmpWorld(conversations: ModelConversation[]): Promise<AmpWorld> {
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
    model: world.model as ModelWitness,
    async open(session = {}, { env = {}, files = {} } = {}) {
      const directory = await world.makeDirectory(files);
      const host = { ...world.host, env: { ...world.host.env, ...env } };
      return AgentHarness.open(adapter, { directory, ...session }, { host });
    },
  };
}

/** What the model says from this message on. */
export function when(prompt: string, ...steps: ModelConversation["steps"]): ModelConversation {
  return { name: prompt, when: { prompt }, steps };
}
