import type { Cost, PermissionRequestedData, QuestionRequestedData, Usage } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../../../agent.ts";
import type { CallSetting } from "../../../permissions/permission-data.ts";
import type { PermissionRule, ToolAsk } from "../dialect.ts";

export interface ClaudeSetting {
  readonly itemPrefix: string;
  /** Where images go that exist only inside of a line. */
  readonly imagesDir: string;
  readonly callSetting: CallSetting;
  readonly session: Pick<SessionConfig, "agentMode">;
}

/** What has to be remembered of the lines so far to understand the next one. */
export interface ClaudeState extends ClaudeSetting {
  readonly itemCount: number;
  readonly requestCount: number;
  /** The message that is being streamed. */
  readonly messageId: string | undefined;
  /** Its blocks, by their index. */
  readonly blocks: ReadonlyMap<number, OpenBlock>;
  /** Tool calls without a result, by the model's id. */
  readonly calls: ReadonlyMap<string, OpenCall>;
  /** Items of the calls that run subagents, by the model's id; subagents may go on after their call has its result. */
  readonly agents: ReadonlyMap<string, string>;
  /** What the agent asks and nobody has answered, by our id. */
  readonly requests: ReadonlyMap<string, OpenRequest>;
  readonly todos: ReadonlyMap<string, Todo>;
  /** What runs in the background. */
  readonly tasks: readonly BackgroundTask[];
  /** Uses of tools that a person allowed for always. */
  readonly allowedUses: ReadonlySet<string>;
  /** Rules that Claude Code offered and a person allowed for always. */
  readonly allowedRules: readonly PermissionRule[];
  /** MCP servers that could not be started, which is told once. */
  readonly failedServers: readonly string[];
  /** As Claude Code calls it; changes when a plan is approved. */
  readonly permissionMode: string | null;
  /** False from the first line of work until the session says that it is idle. */
  readonly isIdle: boolean;
  readonly turn: TurnState | null;
}

export interface OpenBlock {
  readonly kind: "text" | "reasoning" | "tool" | "other";
  /** `null` as long as there is nothing to show. */
  readonly itemId: string | null;
  /** The tool call, for a tool. */
  readonly callId?: string;
  readonly text: string;
}

export interface OpenCall {
  readonly itemId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the deltas have spelled. */
  readonly arguments: string;
  /** The model has finished writing it. */
  readonly complete: boolean;
  readonly parentId?: string;
}

export interface OpenRequest {
  readonly nativeId: string;
  readonly ask: Partial<ToolAsk>;
  readonly asked:
    | { readonly type: "permission"; readonly data: PermissionRequestedData }
    | { readonly type: "question"; readonly data: QuestionRequestedData };
}

export interface Todo {
  readonly text: string;
  readonly status: string;
}

interface BackgroundTask {
  readonly id: string;
  readonly isAgent: boolean;
}

/** The running prompt. */
export interface TurnState {
  readonly promptId: string;
  readonly started: boolean;
  readonly interrupted: boolean;
  readonly usage: Usage | null;
  readonly cost: Cost | null;
  readonly model: string | null;
  readonly failure: TurnFailure | null;
  /** What the last try met, while Claude Code asks the model again. */
  readonly retrying: TurnFailure | null;
}

export interface TurnFailure {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
}

export function createClaudeState(setting: ClaudeSetting): ClaudeState {
  return {
    ...setting,
    itemCount: 0,
    requestCount: 0,
    messageId: undefined,
    blocks: new Map(),
    calls: new Map(),
    agents: new Map(),
    requests: new Map(),
    todos: new Map(),
    tasks: [],
    failedServers: [],
    allowedUses: new Set(),
    allowedRules: [],
    permissionMode: null,
    isIdle: true,
    turn: null,
  };
}

/** A new process knows nothing of what the last one had begun. */
export function afterRestart(state: ClaudeState): ClaudeState {
  return { ...state, blocks: new Map(), calls: new Map(), requests: new Map(), tasks: [], isIdle: true };
}

export function beginTurn(state: ClaudeState, promptId: string): ClaudeState {
  const begun = { promptId, started: false, interrupted: false, usage: null, cost: null, model: null };
  return { ...state, turn: { ...begun, failure: null, retrying: null } };
}

/** It was tried often enough: the turn ends with what the last try met. */
export function markGivenUp(state: ClaudeState): ClaudeState {
  return state.turn === null ? state : { ...state, turn: { ...state.turn, failure: state.turn.retrying } };
}

export function markInterrupted(state: ClaudeState): ClaudeState {
  return state.turn === null ? state : { ...state, turn: { ...state.turn, interrupted: true } };
}
