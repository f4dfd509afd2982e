import type { EventDraft } from "@sandbox-agent-ts/protocol";
import type { ImageFile } from "../../images/image-file.ts";
import { Conversion } from "./convert/conversion.ts";
import type { OpencodeState, TurnEnd } from "./convert/opencode-state.ts";
import type { OpencodeEvent } from "./dialect.ts";

/** `message` is what the model hears. */
export interface NativeAnswer {
  readonly nativeId: string;
  readonly reply: "once" | "reject";
  readonly message?: string;
}

export interface Converted {
  readonly state: OpencodeState;
  readonly drafts: readonly EventDraft[];
  /** To be on disk before the drafts are emitted. */
  readonly images: readonly ImageFile[];
  /** To be told to the server: what needs no person. */
  readonly answers: readonly NativeAnswer[];
  /** Present when the conversation became idle. */
  readonly ended?: TurnEnd;
}

/** The events of one read that concern a conversation → what happened. Pure; one state per batch, for the sake of floods. */
export function convertEvents(state: OpencodeState, events: readonly OpencodeEvent[]): Converted {
  const conversion = new Conversion(state);
  for (const event of events) conversion.take(event);
  return conversion.result();
}
