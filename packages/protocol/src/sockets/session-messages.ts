import { applyToBlocks } from "../blocks/apply-to-blocks.ts";
import { type BlockState, createBlockState } from "../blocks/block-state.ts";
import type { BlockChange } from "../blocks/conversation-block.ts";
import type {
  PermissionRequestedData,
  PermissionResolvedData,
  QuestionRequestedData,
  QuestionResolvedData,
  TurnEndedMetadata,
} from "../event-data.ts";
import type { UniversalEvent } from "../universal-event.ts";

/** Where a message stands in the log of its session. */
export interface MessagePlace {
  readonly sessionId: string;
  /** The event of the log that it tells of. */
  readonly sequence: number;
  /**
   * Where to go on after this message: the `after` of the next join. It grows with every message, and is the sequence once
   * all that the event did is told.
   */
  readonly cursor: number;
}

type BlockMessage<Type extends BlockChange["type"]> = MessagePlace & Omit<Extract<BlockChange, { type: Type }>, "type">;

/** What the log of a session tells those who joined it, by name. */
export interface SessionMessages {
  "session:block:start": BlockMessage<"start">;
  "session:block:delta": BlockMessage<"delta">;
  "session:block:update": BlockMessage<"update">;
  "session:block:complete": BlockMessage<"complete">;
  "session:turn:started": MessagePlace & { readonly turnId: string; readonly messageId: string | null };
  "session:turn:ended": MessagePlace & { readonly turnId: string } & Omit<TurnEndedMetadata, "model">;
  "session:request:opened": MessagePlace & { readonly requestId: string } & OpenedRequestMessage;
  "session:request:resolved": MessagePlace & { readonly requestId: string } & ResolvedRequestMessage;
}

type OpenedRequestMessage =
  | { readonly kind: "permission"; readonly request: PermissionRequestedData }
  | { readonly kind: "question"; readonly request: QuestionRequestedData };

type ResolvedRequestMessage =
  | { readonly kind: "permission"; readonly request: PermissionResolvedData }
  | { readonly kind: "question"; readonly request: QuestionResolvedData };

/** A message with its name. */
export type SessionMessage = {
  [Name in keyof SessionMessages]: { readonly name: Name; readonly data: SessionMessages[Name] };
}[keyof SessionMessages];

type Unplaced = { readonly name: keyof SessionMessages; readonly data: object };

/**
 * Makes the messages of a session from its log, event by event from the first one: the same log makes the same messages,
 * whoever reads it and when.
 */
export class SessionProjection {
  readonly #sessionId: string;
  readonly #blocks: BlockState = createBlockState();

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** The last event that was taken. */
  get sequence(): number {
    return this.#blocks.sequence;
  }

  /** What the next event of the log tells, in order. */
  apply(event: UniversalEvent): SessionMessage[] {
    const { sequence } = event;
    const told: Unplaced[] = [
      ...before(event),
      ...applyToBlocks(this.#blocks, event).map(({ type, ...data }) => ({
        name: `session:block:${type}` as const,
        data,
      })),
      ...after(event),
    ];
    return told.map(({ name, data }, index) => {
      const place = { sessionId: this.#sessionId, sequence, cursor: cursorOf(sequence, index, told.length) };
      return { name, data: { ...place, ...data } } as SessionMessage;
    });
  }
}

/** The cursor after the message at `index` of the `count` messages of an event. */
function cursorOf(sequence: number, index: number, count: number): number {
  return index + 1 === count ? sequence : sequence - 1 + (index + 1) / count;
}

/** The messages that come after a cursor. */
export function messagesAfter(messages: readonly SessionMessage[], cursor: number): readonly SessionMessage[] {
  return messages.filter(({ data }) => data.cursor > cursor);
}

/** The last event of which everything was told up to a cursor. */
export function sequenceBefore(cursor: number): number {
  return Math.floor(cursor);
}

function before({ type, data }: UniversalEvent): Unplaced[] {
  if (type !== "turn.started") return [];
  const { turn_id: turnId, metadata } = data;
  return [{ name: "session:turn:started", data: { turnId, messageId: metadata?.client_message_id ?? null } }];
}

function after({ type, data }: UniversalEvent): Unplaced[] {
  switch (type) {
    case "turn.ended": {
      const { model: _, ...metadata } = data.metadata;
      return [{ name: "session:turn:ended", data: { ...metadata, turnId: data.turn_id } }];
    }
    case "permission.requested":
    case "question.requested":
      return [{ name: "session:request:opened", data: requestOf(data) }];
    case "permission.resolved":
    case "question.resolved":
      return [{ name: "session:request:resolved", data: requestOf(data) }];
    default:
      return [];
  }
}

type RequestData = PermissionRequestedData | PermissionResolvedData | QuestionRequestedData | QuestionResolvedData;

function requestOf(request: RequestData): object {
  return "permission_id" in request
    ? { kind: "permission", requestId: request.permission_id, request }
    : { kind: "question", requestId: request.question_id, request };
}
