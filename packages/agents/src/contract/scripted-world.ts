import type { AgentAdapter, SessionConfig } from "../agent.ts";
import { AgentHarness } from "./agent-harness.ts";
import type { AgentScenario } from "./agent-scenario.ts";
import { type ContractWorld, makeContractWorld } from "./contract-world.ts";
import type { ModelConversation, ModelWitness } from "./model-script.ts";

export interface ScriptedWorld<Model extends ModelWitness = ModelWitness> extends Omit<ContractWorld, "model"> {
  readonly model: Model;
  /** In a directory of its own, unless the session says another. */
  open(session?: Partial<SessionConfig>, given?: Given): Promise<AgentHarness>;
}

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** The real program with a model that says this: as in the contract suite, but with conversations of one's own. */
export async function makeScriptedWorld<Model extends ModelWitness = ModelWitness>(
  adapter: AgentAdapter,
  { provoke, prepare }: AgentScenario,
  conversations: ModelConversation[],
  defaults: Partial<SessionConfig> = {},
): Promise<ScriptedWorld<Model>> {
  const world = await makeContractWorld({
    provoke,
    prepare: async ({ home }) => (await prepare?.({ home, script: { conversations } })) ?? {},
  });
  if (world.model === undefined) throw new Error("The scenario prepares a model.");
  await world.installProgramOf(adapter);
  return {
    ...world,
    model: world.model as Model,
    async open(session = {}, { env = {}, files = {} } = {}) {
      const directory = session.directory ?? (await world.makeDirectory(files));
      const host = { ...world.host, env: { ...world.host.env, ...env } };
      return AgentHarness.open(adapter, { ...defaults, directory, ...session }, { host });
    },
  };
}

/** What the model says from this message on. */
export function when(prompt: string, ...steps: ModelConversation["steps"]): ModelConversation {
  return { name: prompt, when: { prompt }, steps };
}
