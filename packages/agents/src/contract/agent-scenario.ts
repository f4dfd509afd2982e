import type { ActionKind } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../agent.ts";
import type { FeatureName } from "./features.ts";
import type { ModelConversation, ModelScript, ModelStep, ModelWitness } from "./model-script.ts";

/**
 * How to make one agent show what it can do. What is asserted lives once, in the suite; this is what differs, as data.
 *
 * By convention it is `agents/<id>/__fixtures__/contract-scenario.ts`, exported as `scenario`, and used three times: by
 * `<id>.contract.test.ts`, which is one call of `describeAgent`; by the daemon's tests of whole agents; and by
 * `npm run gen`, which writes the feature matrix of the documentation from it. So importing it must have no effect, and
 * it must not import vitest.
 *
 * An agent with a scripted model gives its tools to `scriptedFeatures` and changes what is different:
 *
 *     export const scenario: AgentScenario = {
 *       provoke: { ...scriptedFeatures(tools), sessionEnd: { skip: "Claude Code never ends a conversation by itself" } },
 *       async prepare({ home, script }) {
 *         const model = await startModel({ script });
 *         const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "scripted", CLAUDE_CONFIG_DIR: `${home}/.claude` };
 *         return { env, model, dispose: () => model.close() };
 *       },
 *     };
 */
export interface AgentScenario {
  /** For every feature how to provoke it, or why the agent cannot show it: a limit of its own, as a phrase. */
  readonly provoke: Readonly<Record<FeatureName, Provocation>>;
  /** What the agent needs around it. Called once for the whole suite, before the adapter is made. */
  prepare?(needs: WorldNeeds): Promise<PreparedWorld>;
}

export interface WorldNeeds {
  /** A fresh home directory, which is `HOME` of the agent. */
  readonly home: string;
  /** What the model has to say in all provocations together. */
  readonly script: ModelScript;
}

export interface PreparedWorld {
  /** Laid over the agent's environment, which otherwise is `PATH` and a fresh `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** For every session. */
  readonly session?: Partial<SessionConfig>;
  /** Lets the suite see what the agent told its model; without it only the agent's own events are held against the contract. */
  readonly model?: ModelWitness;
  dispose?(): Promise<void>;
}

export type Provocation = ProvokingMessage | Skipped;

/** Stands in the title of the skipped test and in the documentation, e.g. "the mock starts no MCP servers". */
export interface Skipped {
  readonly skip: string;
}

export interface ProvokingMessage {
  /** With a script it must be its own: no message may contain another one. */
  readonly message: string;
  /** What the model answers, step by step, from this message on. */
  readonly script?: ModelStep[];
  /** Further conversations with the model, e.g. that of a subagent. */
  readonly asides?: ModelConversation[];
  /** Written into the session's directory before the session is opened. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Written into the agent's home before the session is opened, and taken away after the test. */
  readonly homeFiles?: Readonly<Record<string, string>>;
  /** Which of them go with the message, by their absolute path. */
  readonly attach?: readonly { readonly file: string; readonly mime?: string }[];
  /** Where the agent shows this only in a session of a certain kind. */
  readonly session?: Partial<SessionConfig>;

  /** Text that the assistant's messages of the turn must contain. */
  readonly replies?: string;
  /** Text that its reasoning must contain. */
  readonly thinks?: string;
  /** Text that the results of tools must contain. */
  readonly results?: string | readonly string[];
  /** Text that a request to the model after this message must contain, where there is a model to ask. */
  readonly modelSees?: string;
  /** Text that the agent's question must contain. */
  readonly asks?: string;
  /** What a request for permission must say. */
  readonly requests?: ExpectedRequest;
  /** How the command line of a process begins that runs in the middle of the turn. */
  readonly runs?: string;
  /** A file of the session's directory that exists afterwards exactly when the agent was let. */
  readonly creates?: string;
  /** A file's text afterwards. */
  readonly leaves?: Readonly<Record<string, string>>;
  /** How the turn ends, where both ways are right: an agent may try again after a failure, or give up. */
  readonly ends?: "completed" | "error";
  /** The tokens of the turn, where the script says them. */
  readonly usage?: { readonly input: number; readonly output: number };
  /** For what takes two sessions: the message of the second one. For `permissionAlways`: another use of the same tool. */
  readonly other?: ProvokingMessage;
  /** For what takes two turns: the message of the first one. */
  readonly after?: ProvokingMessage;
}

export interface ExpectedRequest {
  readonly kind: ActionKind;
  /** All files it is about, relative to the session's directory. */
  readonly files?: readonly string[];
  /** Lines that its diff must have. */
  readonly diff?: readonly string[];
  readonly command?: string;
  readonly url?: string;
  /** The MCP server, and the tool's own name, which is a part of the agent's name for it. */
  readonly mcp?: { readonly server: string; readonly tool: string };
}
