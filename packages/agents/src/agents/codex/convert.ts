import type { EventDraft } from "@sandbox-agent-ts/protocol";
import type { ImageFile } from "../../images/image-file.ts";
import type { JsonRpcCall, JsonRpcId } from "../../json-rpc/json-rpc-message.ts";
import type { CodexState, TurnEnd } from "./convert/codex-state.ts";
import { Conversion } from "./convert/conversion.ts";

export interface Converted {
  readonly state: CodexState;
  readonly drafts: readonly EventDraft[];
  /** To be on disk before the drafts are emitted. */
  readonly images: readonly ImageFile[];
  /** To be told to the server: what needs no person. */
  readonly answers: readonly { readonly id: JsonRpcId; readonly result: unknown }[];
  /** Requests nobody here understands, to be refused. */
  readonly refused: readonly JsonRpcId[];
  /** Present when the conversation became idle. */
  readonly ended?: TurnEnd;
}

/** The calls of one read that concern a conversation → what happened. Pure; one state per batch, for the sake of floods. */
export function convertCalls(state: CodexState, calls: readonly JsonRpcCall[]): Converted {
  const conversion = new Conversion(state);
  for (const call of calls) conversion.take(call);
  return conversion.result();
}
