import type { EventDraft, SessionState } from "@sandbox-agent-ts/protocol";

export interface SeamSituation {
  readonly closed: boolean;
  readonly prompting: boolean;
  readonly itemPrefix: string;
  readonly state: SessionState;
}

/** Why an adapter may not emit this draft now, or `undefined` when it may: the rules of `OpenOptions.emit`. */
export function seamBreach(
  draft: EventDraft,
  { closed, prompting, itemPrefix, state }: SeamSituation,
): string | undefined {
  if (closed) return `${draft.type} was emitted after close`;
  switch (draft.type) {
    case "turn.started":
    case "turn.ended":
    case "session.started":
      return `${draft.type} is the daemon's to write`;
    case "session.ended":
      return prompting ? "session.ended was emitted during a prompt; say it in the outcome" : undefined;
    case "item.started":
      if (draft.data.item.role === "user") return "the user's own message is the daemon's to write";
      if (!draft.data.item.item_id.startsWith(itemPrefix))
        return `${draft.data.item.item_id} is not an id of this session`;
      return undefined;
    case "permission.resolved":
      if (draft.data.resolved_by === "remembered") return undefined;
      return openOr(state.permissions, draft.data.permission_id);
    case "question.resolved":
      return openOr(state.questions, draft.data.question_id);
    default:
      return undefined;
  }
}

function openOr(open: Record<string, unknown>, id: string): string | undefined {
  return Object.hasOwn(open, id) ? undefined : `${id} is resolved but is not open`;
}
