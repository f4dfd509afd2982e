import type { EventDraft } from "@sandbox-agent-ts/protocol";

export function textDraft(text: string, raw?: string): EventDraft {
  const data = { item_id: "itm_1", delta: text };
  return { type: "item.delta", data, source: "agent", synthetic: false, ...(raw === undefined ? {} : { raw }) };
}

export const textDrafts = (count: number, from = 1): EventDraft[] =>
  Array.from({ length: count }, (_, index) => textDraft(`text ${from + index}`));
