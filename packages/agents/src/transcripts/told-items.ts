import type { EventDraft, ItemTold, UniversalItem } from "@sandbox-agent-ts/protocol";

/** What these drafts say of items, as of this time. */
export function toldItems(drafts: readonly EventDraft[], time: string | null): ItemTold[] {
  return drafts.flatMap((draft) =>
    draft.type === "item.started" || draft.type === "item.completed" ? [{ ...told(draft), time }] : [],
  );
}

function told({ type, data }: Extract<EventDraft, { type: "item.started" | "item.completed" }>) {
  return { type, data };
}

/** The items as they were in the end. */
export function completedOf(told: readonly ItemTold[]): UniversalItem[] {
  return told.flatMap(({ type, data }) => (type === "item.completed" ? [data.item] : []));
}

/** As a transcript has it, or none. */
export function timeOf(value: unknown): string | null {
  const date = new Date(typeof value === "string" || typeof value === "number" ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
