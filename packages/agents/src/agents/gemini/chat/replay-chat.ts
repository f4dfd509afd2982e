import type { ChatMessage, ChatRecord } from "./chat-record.ts";

export interface Chat {
  readonly sessionId: string | undefined;
  readonly lastUpdated: string;
  readonly messages: readonly ChatMessage[];
}

/**
 * The file is a log of changes: a message with a known id takes the place of the earlier one, `$set` with messages is the
 * whole list anew, `$rewindTo` forgets a message and all behind it. What is torn or unknown is left out. Pure.
 */
export function replayChat(text: string): Chat {
  let sessionId: string | undefined;
  let lastUpdated = "";
  let messages = new Map<string, ChatMessage>();
  for (const record of text.split("\n").map(parseRecord)) {
    sessionId = record.sessionId ?? sessionId;
    lastUpdated = record.$set?.lastUpdated ?? record.lastUpdated ?? lastUpdated;
    if (record.$rewindTo !== undefined) messages = rewound(messages, record.$rewindTo);
    if (typeof record.id === "string") messages.set(record.id, record as ChatMessage);
    const all = record.$set?.messages ?? record.messages;
    if (Array.isArray(all)) messages = byId(all as readonly ChatMessage[]);
  }
  return { sessionId, lastUpdated, messages: [...messages.values()] };
}

function byId(messages: readonly ChatMessage[]): Map<string, ChatMessage> {
  const known = messages.filter((message) => typeof message?.id === "string");
  return new Map(known.map((message) => [message.id, message]));
}

/** A message that nobody knows is before all others. */
function rewound(messages: ReadonlyMap<string, ChatMessage>, id: string): Map<string, ChatMessage> {
  const all = [...messages];
  return new Map(
    all.slice(
      0,
      Math.max(
        0,
        all.findIndex(([known]) => known === id),
      ),
    ),
  );
}

function parseRecord(line: string): ChatRecord {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as ChatRecord) : {};
  } catch {
    return {};
  }
}
