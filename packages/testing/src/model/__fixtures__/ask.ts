import { createParser, type EventSourceMessage } from "eventsource-parser";

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Of a streamed reply. */
  readonly events: readonly EventSourceMessage[];
  /** Whether the body ended as it should. */
  readonly isWhole: boolean;
  readonly text: string;
}

/** Post JSON and read the reply to its end, even if the connection breaks. */
export async function ask(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  let text = "";
  let isWhole = true;
  try {
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      parser.feed(piece);
    }
  } catch {
    isWhole = false;
  }
  return { status: response.status, headers: response.headers, events, isWhole, text };
}

/** The data of each event, parsed. */
export function dataOf(reply: Reply): Record<string, unknown>[] {
  return reply.events.filter(({ data }) => data !== "[DONE]").map(({ data }) => JSON.parse(data));
}

/** Names with repetitions folded: `a, a, b` is `a, b`. */
export function eventNames(reply: Reply): string[] {
  const names = reply.events.map(({ event }) => event ?? "");
  return names.filter((name, index) => name !== names[index - 1]);
}

interface Turn {
  readonly user: string;
  readonly assistant?: string;
}

/** A Messages request with this history; the last turn is the one to answer. */
export function messagesRequest(turns: readonly (Turn | string)[], more: object = {}): object {
  const messages = turns
    .map((turn): Turn => (typeof turn === "string" ? { user: turn } : turn))
    .flatMap(({ user, assistant }) => [
      { role: "user", content: user },
      ...(assistant === undefined ? [] : [{ role: "assistant", content: [{ type: "text", text: assistant }] }]),
    ]);
  return { model: "claude-test", max_tokens: 1000, stream: true, messages, ...more };
}

export function textOf(reply: Reply): string {
  return dataOf(reply)
    .map(({ delta }) => (delta as { text?: string } | undefined)?.text ?? "")
    .join("");
}
