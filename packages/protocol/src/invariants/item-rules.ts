import { streamedText } from "../fold/streamed-text.ts";
import type { UniversalItem } from "../universal-item.ts";
import type { Report, RuleWatch } from "./rule.ts";

interface Writing {
  readonly turnId: string | null;
  deltas: string[];
}

/** The life of each item: started, spelled out in deltas, completed. */
export function watchItems(): RuleWatch {
  const known = new Set<string>();
  const writing = new Map<string, Writing>();
  /** Not completed in time: reported once, then forgiven whatever follows. */
  const abandoned = new Set<string>();

  function start(itemId: string, turnId: string | null, report: Report): void {
    if (known.has(itemId)) report("item-started-once", `${itemId} is started again.`);
    known.add(itemId);
    writing.set(itemId, { turnId, deltas: [] });
  }

  function find(itemId: string, what: string, report: Report): Writing | undefined {
    const item = writing.get(itemId);
    if (item || abandoned.has(itemId)) return item;
    if (known.has(itemId)) report("item-completed-once", `${what} of ${itemId} comes after its completion.`);
    else report("item-started-first", `${what} of ${itemId} comes, which was never started.`);
    return undefined;
  }

  function complete(item: UniversalItem, report: Report): void {
    const written = find(item.item_id, "A completion", report);
    if (written) checkText(item, written.deltas, report);
    if (item.status === "in_progress") report("item-final-status", `${item.item_id} is completed and in_progress.`);
    known.add(item.item_id);
    writing.delete(item.item_id);
  }

  function endTurn(turnId: string | null, report: Report): void {
    for (const [itemId, item] of writing) {
      if (item.turnId !== turnId) continue;
      report(
        "item-completes-in-its-turn",
        `${itemId} is not completed when ${turnId ?? "the time between turns"} ends.`,
      );
      writing.delete(itemId);
      abandoned.add(itemId);
    }
  }

  return {
    push(event, turnId, report) {
      if (event.type === "item.started") start(event.data.item.item_id, turnId, report);
      if (event.type === "item.delta") find(event.data.item_id, "A delta", report)?.deltas.push(event.data.delta);
      if (event.type === "item.completed") complete(event.data.item, report);
      if (event.type === "turn.started") endTurn(null, report);
      if (event.type === "turn.ended") endTurn(turnId, report);
    },
    end(report) {
      for (const { turnId } of [...writing.values()]) endTurn(turnId, report);
    },
  };
}

function checkText(item: UniversalItem, deltas: readonly string[], report: Report): void {
  const text = streamedText(item);
  if (deltas.length > 0 && deltas.join("") !== text) {
    report(
      "deltas-spell-the-text",
      `The deltas of ${item.item_id} say ${quote(deltas.join(""))}, it says ${quote(text)}.`,
    );
  }
  if (deltas.length === 0 && text !== "" && item.kind === "message" && item.role === "assistant") {
    report("assistant-text-streams", `${item.item_id} has text and had no delta.`);
  }
}

const quotedLength = 200;

function quote(text: string): string {
  return JSON.stringify(text.length > quotedLength ? `${text.slice(0, quotedLength)}…` : text);
}
