import { startModel } from "@sandbox-agent/testing/model";
import type { SessionConfig } from "../../../agent.ts";
import { AgentHarness } from "../../../contract/agent-harness.ts";
import { type ContractWorld, installProgramOf, makeContractWorld } from "../../../contract/contract-world.ts";
import type { ModelConversation, ModelWitness } from "../../../contract/model-script.ts";
import { adapter } from "../index.ts";
import { environment, scenario } from "./contract-scenario.ts";

export interface OpencodeWorld extends ContractWorld {
  readonly model: ModelWitness;
  open(session?: Partial<SessionConfig>): Promise<AgentHarness>;
}

/** The real program in a home of its own, with a model that says this; `config` is what the user's has besides. */
export async function makeOpencodeWorld(
  conversations: ModelConversation[],
  config: object = {},
): Promise<OpencodeWorld> {
  const world = await makeContractWorld({
    provoke: scenario.provoke,
    prepare: async () => {
      const model = await startModel({ script: { conversations } });
      return { env: environment(model.openaiUrl, config), model, dispose: () => model.close() };
    },
  });
  await installProgramOf(adapter, world);
  return {
    ...world,
    model: world.model as ModelWitness,
    async open(session = {}) {
      const directory = session.directory ?? (await world.makeDirectory({}));
      return AgentHarness.open(adapter, { directory, ...session }, { host: world.host });
    },
  };
}

/** What the model says from this message on. */
export function when(prompt: string, ...steps: ModelConversation["steps"]): ModelConversation {
  return { name: prompt, when: { prompt }, steps };
}

export function calls(name: string, input: Record<string, unknown>): ModelConversation["steps"][number] {
  return { toolCalls: [{ name, input }] };
}

export function runs(command: string): ModelConversation["steps"][number] {
  return calls("bash", { command, description: "Run it" });
}
