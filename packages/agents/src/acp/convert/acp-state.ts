import type {
  ErrorData,
  PermissionMode,
  PermissionRequestedData,
  QuestionRequestedData,
} from "@sandbox-agent-ts/protocol";
import type { AgentProgram } from "../../install/agent-program.ts";
import type { JsonRpcId } from "../../json-rpc/json-rpc-message.ts";
import type { CallSetting } from "../../permissions/permission-data.ts";
import type { AcpAgent, AcpQuirks } from "../acp-agent.ts";
import type { AcpConfigOption, AcpOpened, AcpPermissionOption, AcpTokens, AcpToolCall } from "../dialect.ts";
import { currentMode } from "./modes.ts";

/** What has to be remembered of the messages so far to understand the next one. */
export interface AcpState {
  readonly setting: AcpSetting;
  readonly itemCount: number;
  readonly requestCount: number;
  /** The message or the thought that is being written. */
  readonly prose: OpenProse | undefined;
  /** The calls of tools that have not ended, by the agent's id. */
  readonly calls: ReadonlyMap<string, OpenCall>;
  /** Calls of this turn that have ended, with their items: agents tell more of them than there is to say. */
  readonly endedCalls: ReadonlyMap<string, string>;
  /** What a person is asked, by our id. */
  readonly requests: ReadonlyMap<string, OpenRequest>;
  /** Uses of tools that a person allowed for always. */
  readonly allowedUses: ReadonlySet<string>;
  readonly modeId: string | undefined;
  readonly configOptions: readonly AcpConfigOption[];
  readonly turn: TurnState;
  /** The text of the last message of this turn. */
  readonly lastText: string;
  readonly lastPlan: string;
}

/** What the turn has cost so far. The agent counts money for the whole conversation, and tokens in several places. */
export interface TurnState {
  /** While a prompt runs. */
  readonly running: boolean;
  /** The cost of the whole conversation; absent while it is not known. */
  readonly costBefore: number | undefined;
  readonly cost: number | undefined;
  readonly currency: string | undefined;
  /** Told on the way, for agents whose answer says nothing. */
  readonly tokens: AcpTokens | undefined;
  /** What was told at the end of the turn before, for agents that go on counting. */
  readonly tokensBefore: AcpTokens | undefined;
  /** What the last try met, while the agent asks its model again. */
  readonly retrying: ErrorData | undefined;
  /** What the turn was given up for; it then ends as cancelled. */
  readonly givenUp: ErrorData | undefined;
  /** How often something was heard that only a model that answered can have caused. */
  readonly answers: number;
  /** The agent asked for something and was refused. */
  readonly refused: boolean;
  /** What a person said with a refusal, which the agent has not heard: its requests take no words. */
  readonly unheard: readonly string[];
  /** What it was told of that in this turn. */
  readonly heard: readonly string[];
}

export interface AcpSetting extends CallSetting {
  readonly itemPrefix: string;
  readonly permissionMode: PermissionMode;
  /** What only looks is asked about too. */
  readonly asksEverything?: boolean;
  /** The one that holds after a plan was approved. */
  readonly modeAfterPlan: PermissionMode;
  readonly permissionModes?: AcpAgent["permissionModes"];
  /** Where images that come as data are put. */
  readonly imageDir: string;
  readonly agentName: string;
  readonly program?: AgentProgram | undefined;
  readonly quirks: AcpQuirks;
}

export interface OpenProse {
  readonly kind: "text" | "reasoning";
  readonly itemId: string;
  /** Of the subagent's call, when a subagent says it. */
  readonly parentId: string | undefined;
  readonly messageId: string | undefined;
  readonly text: string;
}

export interface OpenCall {
  readonly itemId: string;
  readonly parentId: string | undefined;
  readonly call: AcpToolCall;
  /** It was asked about and is not to be. */
  readonly refused?: boolean;
}

export type OpenRequest =
  | {
      readonly type: "permission";
      readonly rpcId: JsonRpcId;
      readonly data: PermissionRequestedData;
      readonly options: readonly AcpPermissionOption[];
      readonly use: string;
    }
  | {
      /** What is asked as a permission and is none. */
      readonly type: "plan" | "asked";
      readonly rpcId: JsonRpcId;
      readonly data: QuestionRequestedData;
      readonly options: readonly AcpPermissionOption[];
    }
  | {
      readonly type: "question";
      readonly rpcId: JsonRpcId;
      readonly data: QuestionRequestedData;
      readonly fields: readonly {
        readonly name: string;
        readonly type: string;
        readonly values: ReadonlyMap<string, string>;
      }[];
    };

const noTurn: TurnState = {
  running: false,
  costBefore: undefined,
  cost: undefined,
  currency: undefined,
  tokens: undefined,
  tokensBefore: undefined,
  retrying: undefined,
  givenUp: undefined,
  answers: 0,
  refused: false,
  unheard: [],
  heard: [],
};

export function createAcpState(setting: AcpSetting): AcpState {
  return {
    setting,
    itemCount: 0,
    requestCount: 0,
    prose: undefined,
    calls: new Map(),
    endedCalls: new Map(),
    requests: new Map(),
    allowedUses: new Set(),
    modeId: undefined,
    configOptions: [],
    turn: noTurn,
    lastText: "",
    lastPlan: "",
  };
}

/** A new process knows nothing of what the last one had begun; ids and what a person decided go on. */
export function afterLoss(state: AcpState): AcpState {
  const { itemCount, requestCount, allowedUses } = state;
  return { ...createAcpState(state.setting), itemCount, requestCount, allowedUses };
}

/** A prompt is about to be sent. */
export function beginTurn(state: AcpState): AcpState {
  const { cost, currency, tokensBefore } = state.turn;
  const turn = { ...noTurn, running: true, costBefore: cost, cost, currency, tokensBefore };
  return { ...state, turn, endedCalls: new Map(), lastText: "" };
}

/** A conversation was begun, which has cost nothing yet, or taken up again, which has cost nobody knows how much. */
export function beginConversation(state: AcpState, opened: AcpOpened, isNew: boolean): AcpState {
  const turn = { ...noTurn, cost: isNew ? 0 : undefined };
  return { ...state, turn, modeId: currentMode(opened), configOptions: opened.configOptions ?? [] };
}

/** It was waited for long enough: however the turn ends, it ends with this. */
export function giveUp(state: AcpState, why: ErrorData): AcpState {
  return { ...state, turn: { ...state.turn, givenUp: why } };
}

/**
 * What the agent asked for, perhaps with a call of a tool, is not to be; `words` are the person's who refused it. A program
 * may say the same to whatever is asked: the agent is told it once, or it would try again for ever.
 */
export function refuse(state: AcpState, { callId = "", words }: { callId?: string; words?: string } = {}): AcpState {
  const open = state.calls.get(callId);
  const calls = open ? new Map([...state.calls, [callId, { ...open, refused: true }]]) : state.calls;
  const { unheard, heard } = state.turn;
  const isNew = words !== undefined && !unheard.includes(words) && !heard.includes(words);
  return { ...state, calls, turn: { ...state.turn, refused: true, unheard: isNew ? [...unheard, words] : unheard } };
}

/** The agent is told what a person said with its refusals. */
export function hear(state: AcpState): AcpState {
  const { unheard, heard } = state.turn;
  return { ...state, turn: { ...state.turn, unheard: [], heard: [...heard, ...unheard], refused: false } };
}

export function leavePlanMode(state: AcpState): AcpState {
  const { setting } = state;
  return { ...state, setting: { ...setting, permissionMode: setting.modeAfterPlan } };
}
