import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { EventEncoder, encodeRaw } from "../event-encoder.ts";
import type { EventBatch, EventPage, EventStore, SessionRecord, TurnEntry, TurnRecord } from "../event-store.ts";
import { parseRawLines } from "../raw-lines.ts";

export function sampleRecord(sessionId: string): SessionRecord {
  return { sessionId, uid: "k3x9", createdAt: 1_700_000_000_000, config: { agent: "mock", title: "näh ✂ \u2028" } };
}

export function sampleTurn(turnId: string, message = `do ${turnId}`): TurnRecord {
  return {
    turnId,
    message,
    attachments: [{ path: "/a b.png", mime: "image/png" }],
    after: 0,
    admittedAt: 1_700_000_000_001,
  };
}

/** Events with the given texts as a log would hand them over; those with an odd sequence have a raw payload. */
export function sampleBatch(sessionId: string, first: number, texts: readonly string[]): EventBatch {
  const encoder = new EventEncoder(sampleRecord(sessionId), "native-1");
  let lines = "";
  let raw = "";
  for (const [index, text] of texts.entries()) {
    const sequence = first + index;
    const draft: EventDraft = {
      type: "item.delta",
      data: { item_id: "itm_1", delta: text },
      source: "agent",
      synthetic: false,
      raw: sampleRaw(sequence),
    };
    lines += `${encoder.encode(draft, sequence)}\n`;
    if (sequence % 2 === 1) raw += encodeRaw(sequence, draft);
  }
  return { first, count: texts.length, lines, raw };
}

export function sampleRaw(sequence: number): string {
  return JSON.stringify({ native: sequence, text: `„${sequence}“ \u2028` });
}

/** Keep one event per text, after those that are there. */
export async function appendTexts(store: EventStore, sessionId: string, texts: readonly string[]): Promise<EventBatch> {
  const batch = sampleBatch(sessionId, store.head(sessionId) + 1, texts);
  await store.append(sessionId, batch);
  return batch;
}

export const numbered = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, index) => `text ${from + index}`);

/** The sequences and texts of a page's lines, parsed. */
export function parsePage(page: EventPage): { sequence: number; text: string }[] {
  const lines = page.lines.toString("utf8").split("\n");
  if (lines.pop() !== "") throw new Error("A page must end with a whole line.");
  return lines.map((line) => {
    const event = JSON.parse(line) as { sequence: number; data: { delta: string } };
    return { sequence: event.sequence, text: event.data.delta };
  });
}

/** Every text of a session, read page by page; with `hints` each page says where the next begins. */
export async function readTexts(
  store: Pick<EventStore, "read">,
  sessionId: string,
  { after = 0, maxBytes = 64 * 1024, hints = true } = {},
): Promise<string[]> {
  const texts: string[] = [];
  let cursor = after;
  let position: number | undefined;
  while (true) {
    const hint = hints && position !== undefined ? { position } : {};
    const page = await store.read(sessionId, cursor, { maxBytes, maxEvents: Number.POSITIVE_INFINITY, ...hint });
    if (page.count === 0) return texts;
    for (const { sequence, text } of parsePage(page)) {
      cursor += 1;
      if (sequence !== cursor) throw new Error(`Event ${sequence} came where ${cursor} was due.`);
      texts.push(text);
    }
    position = page.next;
  }
}

export async function turnsOf(store: EventStore, sessionId: string): Promise<TurnEntry[]> {
  const turns: TurnEntry[] = [];
  for await (const turn of store.turns(sessionId)) turns.push(turn);
  return turns;
}

/** The payloads of the events after `after` up to `through`, by sequence. */
export async function rawOf(
  store: Pick<EventStore, "readRaw">,
  sessionId: string,
  after: number,
  through: number,
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let cursor = after; ; ) {
    const { lines, count } = await store.readRaw(sessionId, cursor, { maxBytes: 1000, maxEvents: 7 });
    if (count === 0) return found;
    for (const [sequence, raw] of parseRawLines(lines.toString("utf8"))) {
      if (sequence > through) return found;
      found.set(sequence, raw);
      cursor = sequence;
    }
  }
}
