import type {
  Cost,
  ErrorData,
  PermissionRequestedData,
  QuestionRequestedData,
  UniversalItem,
  Usage,
} from "@sandbox-agent-ts/protocol";
import type { CallSetting } from "../../../permissions/permission-data.ts";
import type { NativeError, Part, PermissionRule, Tokens } from "../dialect.ts";

/** What has to be remembered of the events so far to understand the next one. */
export interface OpencodeState {
  readonly setting: ConversionSetting;
  readonly itemCount: number;
  readonly requestCount: number;
  /** The conversation; others that reach us are subagents of it. */
  readonly sessionId: string | undefined;
  /** Held against what OpenCode asks: not all of it knows them, or the newest ones. */
  readonly rules: readonly PermissionRule[];
  /** There is a plan to be approved before anything may change. */
  readonly isPlanning: boolean;
  /** What a person allowed for good, as `permission` and `pattern`. */
  readonly allowed: ReadonlySet<string>;
  /** The item that started a subagent, by the subagent's session. */
  readonly parents: ReadonlyMap<string, string>;
  /** What people said, or OpenCode in their name, is not told again. */
  readonly userMessages: ReadonlySet<string>;
  /** Parts that are told of and not yet whole: deltas and questions say only to which part they belong. */
  readonly announced: ReadonlyMap<string, Part>;
  readonly openParts: ReadonlyMap<string, OpenPart>;
  /** Parts that are told to the end, which the server may still repeat. */
  readonly closedParts: ReadonlySet<string>;
  /** What a person is asked, by our id. */
  readonly requests: ReadonlyMap<string, OpenRequest>;
  /** The diff of a change that was asked about, by the call of its tool: the result of `write` has none. */
  readonly diffs: ReadonlyMap<string, string>;
  /** The plan as it was written last. */
  readonly plan: string | undefined;
  readonly turn: TurnProgress;
}

export interface ConversionSetting extends CallSetting {
  readonly itemPrefix: string;
  /** Where images that come as data are put. */
  readonly imagesDir: string;
  /** Whether a file is in the directory wherever links lead, which only the disk says; without it none is. */
  readonly isInside?: (path: string) => boolean;
}

export interface OpenPart {
  readonly native: Part;
  readonly item: Omit<UniversalItem, "status">;
  /** Its deltas, joined. */
  readonly spoken: string;
  /** The item that shows the output while the command runs. */
  readonly live?: LiveOutput;
}

interface LiveOutput {
  readonly item: Omit<UniversalItem, "status">;
  readonly text: string;
  /** All that the server told of the output, last time. */
  readonly told: string;
}

export type OpenRequest =
  | {
      readonly type: "permission";
      readonly nativeId: string;
      readonly data: PermissionRequestedData;
      /** What `always` would remember. */
      readonly keys: readonly string[];
    }
  | {
      readonly type: "question";
      readonly nativeId: string;
      readonly data: QuestionRequestedData;
      /** The answer that approves a plan, in OpenCode's words; absent when the question is not about one. */
      readonly approval?: string;
    };

/** The running turn, so far. */
export interface TurnProgress {
  readonly isOver: boolean;
  /** The message that began it, and those that OpenCode added itself. */
  readonly prompts: ReadonlySet<string>;
  /** The newest answer to them: there is one for each step. */
  readonly answer: { readonly id: string; readonly completed: boolean; readonly error?: NativeError } | undefined;
  /** What was told as an error. */
  readonly error: ErrorData | undefined;
  /** One that came before the prompt itself: of the turn before, of an attachment, or the only thing that is ever said. */
  readonly earlyError: ErrorData | undefined;
  /** What the last try met, while the model is only asked again. */
  readonly trouble: string | undefined;
  /** The same, when we do not wait any longer. */
  readonly givenUp: string | undefined;
  readonly tokens: Tokens | undefined;
  readonly cost: number;
  readonly model: string | undefined;
}

export interface TurnEnd {
  readonly reason: "completed" | "interrupted" | "error";
  readonly message?: string;
  readonly usage?: Usage;
  readonly cost?: Cost;
  readonly model?: string;
}

const noTurn: TurnProgress = {
  isOver: false,
  prompts: new Set(),
  answer: undefined,
  error: undefined,
  earlyError: undefined,
  trouble: undefined,
  givenUp: undefined,
  tokens: undefined,
  cost: 0,
  model: undefined,
};

export function createOpencodeState(setting: ConversionSetting): OpencodeState {
  return {
    setting,
    itemCount: 0,
    requestCount: 0,
    sessionId: undefined,
    rules: [],
    isPlanning: false,
    allowed: new Set(),
    parents: new Map(),
    userMessages: new Set(),
    announced: new Map(),
    openParts: new Map(),
    closedParts: new Set(),
    requests: new Map(),
    diffs: new Map(),
    plan: undefined,
    turn: noTurn,
  };
}

/** Subagents of earlier turns may be asked again; everything else of them is over. */
export function beginTurn(state: OpencodeState): OpencodeState {
  const nothing = { announced: new Map(), openParts: new Map(), closedParts: new Set<string>(), diffs: new Map() };
  return { ...state, ...nothing, requests: new Map(), turn: noTurn };
}

/** It is over, whatever of it is still said. */
export function endTurn(state: OpencodeState): OpencodeState {
  return { ...state, requests: new Map(), turn: { ...state.turn, isOver: true } };
}

/** What a person allowed with `always`. */
export function allowForGood(state: OpencodeState, keys: readonly string[]): OpencodeState {
  return { ...state, allowed: new Set([...state.allowed, ...keys]) };
}

/** The model is not asked any more; the turn is to be aborted, and then ends with an error. */
export function giveUp(state: OpencodeState): OpencodeState {
  return { ...state, turn: { ...state.turn, givenUp: state.turn.trouble } };
}

/** A new process knows nothing of what the last one had begun; ids and what a person allowed go on. */
export function afterLoss(state: OpencodeState): OpencodeState {
  const { itemCount, requestCount, sessionId, rules, isPlanning, allowed, parents, plan } = state;
  const kept = { itemCount, requestCount, sessionId, rules, isPlanning, allowed, parents, plan };
  return { ...createOpencodeState(state.setting), ...kept };
}
