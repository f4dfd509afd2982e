import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ModelStep, type ScriptedModel, startModel } from "@sandbox-agent/testing";
import type { SessionConfig } from "../../../agent.ts";
import { AgentHarness } from "../../../contract/agent-harness.ts";
import { type ContractWorld, installProgramOf, makeContractWorld } from "../../../contract/contract-world.ts";
import { adapter } from "../index.ts";
import { scenario } from "./contract-scenario.ts";

export interface CodexWorld extends Omit<ContractWorld, "model"> {
  readonly model: ScriptedModel;
  open(session?: Partial<SessionConfig>): Promise<AgentHarness>;
}

export interface CodexWorldOptions {
  readonly conversations: readonly { readonly when: { readonly prompt: string }; readonly steps: ModelStep[] }[];
  /** The user's `config.toml`, for a model at this address. Default: none. */
  config?(url: string): string;
  env?(url: string): Record<string, string>;
}

export function when(prompt: string, ...steps: ModelStep[]): CodexWorldOptions["conversations"][number] {
  return { when: { prompt }, steps };
}

/** The real program in a home of its own, with a scripted model. */
export async function makeCodexWorld({ conversations, config, env }: CodexWorldOptions): Promise<CodexWorld> {
  const model = await startModel({ script: { conversations: [...conversations] } });
  const world = await makeContractWorld({
    ...scenario,
    async prepare({ home }) {
      await mkdir(join(home, ".codex"));
      if (config) await writeFile(join(home, ".codex", "config.toml"), config(model.openaiUrl));
      return { env: env?.(model.openaiUrl) ?? {}, dispose: () => model.close() };
    },
  });
  await installProgramOf(adapter, world);
  return {
    ...world,
    model,
    async open(session = {}) {
      const directory = session.directory ?? (await world.makeDirectory({}));
      return AgentHarness.open(adapter, { directory, model: "gpt-5.5", ...session }, { host: world.host });
    },
  };
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
