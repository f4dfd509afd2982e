import type {
  PermissionMode,
  PermissionRequestedData,
  QuestionRequestedData,
  UniversalItem,
  Usage,
} from "@sandbox-agent-ts/protocol";
import type { JsonRpcId } from "../../../json-rpc/json-rpc-message.ts";
import type { CallSetting } from "../../../permissions/permission-data.ts";
import type { CodexError, CodexItem, CodexTokens } from "../dialect.ts";

/** What has to be remembered of the messages so far to understand the next one. */
export interface CodexState {
  readonly setting: ConversionSetting;
  readonly itemCount: number;
  readonly requestCount: number;
  /** The conversation; others that reach us are subagents of it. */
  readonly threadId: string | undefined;
  /** The item that started a subagent, by the subagent's thread. */
  readonly parents: ReadonlyMap<string, string>;
  readonly openItems: ReadonlyMap<string, OpenItem>;
  /** Items we closed ourselves, which the server may still complete. */
  readonly abandoned: ReadonlySet<string>;
  /** What a person is asked, by our id. */
  readonly requests: ReadonlyMap<string, OpenRequest>;
  /** What a person allowed for always, as `usesOf` names it. */
  readonly allowed: ReadonlySet<string>;
  /** The running turns by thread: that of the conversation, and those of subagents. */
  readonly activeTurns: ReadonlyMap<string, string>;
  readonly usage: ReadonlyMap<string, ThreadUsage>;
  /** How the conversation's turn ended, while subagents still run. */
  readonly ending: TurnEnd | undefined;
  /** The plan that the turn proposed. */
  readonly plan: string | undefined;
  /** The last error was told already. */
  readonly errorTold: boolean;
  /** What the last try met, while Codex asks the model again. */
  readonly retrying: CodexError | undefined;
  /** MCP servers that could not start; Codex tries again and tells it each time. */
  readonly failedServers: ReadonlySet<string>;
  /** What the turn was given up for; it then ends as interrupted. */
  readonly givenUp: CodexError | undefined;
}

export interface ConversionSetting {
  readonly itemPrefix: string;
  readonly calls: CallSetting;
  readonly permissionMode: PermissionMode;
  /** Where images that come as data are put. */
  readonly imagesDir: string;
  /** Whether a file is in the directory wherever links lead, which only the disk says; without it none is. */
  readonly isInside?: (path: string) => boolean;
}

export interface OpenItem {
  readonly threadId: string;
  readonly native: CodexItem;
  readonly item: Omit<UniversalItem, "status">;
  /** Its deltas, joined: the text of a message, the output of a command. */
  readonly spoken: string;
  /** The item that shows the output while the command runs. */
  readonly live?: LiveOutput;
}

export interface LiveOutput {
  readonly item: Omit<UniversalItem, "status">;
  readonly text: string;
}

export interface OpenRequest {
  readonly rpcId: JsonRpcId;
  readonly asked:
    | { readonly type: "permission"; readonly data: PermissionRequestedData }
    | { readonly type: "question"; readonly data: QuestionRequestedData };
  readonly answer: AnswerForm;
}

/** In which form the server wants to hear what a person decided. */
export type AnswerForm =
  | { readonly kind: "approval" }
  | { readonly kind: "mcpTool" }
  | { readonly kind: "permissions"; readonly permissions: unknown }
  | { readonly kind: "questions"; readonly ids: readonly string[] }
  | { readonly kind: "form"; readonly fields: readonly { readonly name: string; readonly type: string }[] };

export interface ThreadUsage {
  /** Of all turns before this one. */
  readonly before: CodexTokens;
  readonly now: CodexTokens;
}

export interface TurnEnd {
  readonly reason: "completed" | "interrupted" | "error";
  readonly message?: string;
  readonly usage?: Usage;
  /** The plan it proposed, which a person may approve. */
  readonly plan?: string;
}

export function createCodexState(setting: ConversionSetting): CodexState {
  return {
    setting,
    itemCount: 0,
    requestCount: 0,
    threadId: undefined,
    parents: new Map(),
    openItems: new Map(),
    abandoned: new Set(),
    requests: new Map(),
    allowed: new Set(),
    activeTurns: new Map(),
    usage: new Map(),
    ending: undefined,
    plan: undefined,
    errorTold: false,
    retrying: undefined,
    failedServers: new Set(),
    givenUp: undefined,
  };
}

/** A new process knows nothing of what the last one had begun; ids go on. */
export function afterLoss(state: CodexState): CodexState {
  const { itemCount, requestCount, threadId, allowed } = state;
  return { ...createCodexState(state.setting), itemCount, requestCount, threadId, allowed };
}
