import {
  AgentInstallEvent,
  checkSchema,
  checkStream,
  type SessionInfo,
  type UniversalEvent,
} from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";
import { type SseOptions, SseReader } from "./sse-reader.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  json<T = Record<string, unknown>>(): T;
}

/** The HTTP API in the words of the tests. Answers are not judged, except where a method says so. */
export class Client {
  readonly url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, token: string | null = null) {
    this.url = url;
    this.#headers = token === null ? {} : { authorization: `Bearer ${token}` };
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  }

  /** Install an agent and read what happens until it ends. */
  async install(agent: string): Promise<AgentInstallEvent[]> {
    const { text } = await this.call("POST", `/v1/agents/${agent}/install`, undefined, { accept: "text/event-stream" });
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => AgentInstallEvent.parse(JSON.parse(data)));
  }

  /** The session must not exist yet. */
  async create(id: string, request: Record<string, unknown> = {}): Promise<void> {
    const answer = await this.call("POST", session(id), { agent: "mock", ...request });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toMatchObject({ healthy: true });
  }

  send(id: string, message: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call("POST", `${session(id)}/messages`, { message }, headers);
  }

  /** The message must be taken. Answers the turn's id. */
  async message(id: string, message: string, headers: Record<string, string> = {}): Promise<string> {
    const answer = await this.send(id, message, headers);
    expect(answer.status, answer.text).toBe(202);
    return answer.json<{ turnId: string }>().turnId;
  }

  /** Send a message, which must be taken, and begin to read its turn. */
  startTurn(id: string, message: string, headers: Record<string, string> = {}): Promise<SseReader> {
    return SseReader.open(`${this.url}${session(id)}/messages/stream`, {
      method: "POST",
      headers: { ...this.#headers, "content-type": "application/json", ...headers },
      body: JSON.stringify({ message }),
    });
  }

  /** Send a message and read until its turn is over. Answers the turn's events. */
  async turn(id: string, message: string, headers: Record<string, string> = {}): Promise<UniversalEvent[]> {
    const reader = await this.startTurn(id, message, headers);
    expect(await reader.closed).toBe("ended");
    return reader.events;
  }

  follow(id: string, options: SseOptions & { query?: string } = {}): Promise<SseReader> {
    const { query = "", ...rest } = options;
    const headers = { ...this.#headers, ...rest.headers };
    return SseReader.open(`${this.url}${session(id)}/events/sse${query}`, { ...rest, headers });
  }

  async info(id: string): Promise<SessionInfo> {
    const answer = await this.call("GET", session(id));
    expect(answer.status, answer.text).toBe(200);
    return answer.json<SessionInfo>();
  }

  async events(id: string, query = ""): Promise<UniversalEvent[]> {
    const answer = await this.call("GET", `${session(id)}/events${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json<{ events: UniversalEvent[] }>().events;
  }

  /** The whole log of a session at rest, held against every rule there is. */
  async soundLog(id: string): Promise<UniversalEvent[]> {
    const events = await this.events(id);
    expectSound(events);
    return events;
  }
}

export function expectSound(events: readonly UniversalEvent[]): void {
  expect(checkSchema(events)).toEqual([]);
  expect(checkStream(events)).toEqual([]);
}

/** The path of a session. */
export function session(id: string): string {
  return `/v1/sessions/${encodeURIComponent(id)}`;
}

/** What kind of error an answer is: the code of its problem. */
export function codeOf(answer: Answer): string | undefined {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  return answer.json<{ type: string }>().type.split(":").at(-1);
}

export function ofType<T extends UniversalEvent["type"]>(events: readonly UniversalEvent[], type: T) {
  return events.filter((event): event is Extract<UniversalEvent, { type: T }> => event.type === type);
}

/** The text the agent said in these events, whether it came in pieces or whole. */
export function agentText(events: readonly UniversalEvent[]): string {
  return ofType(events, "item.completed")
    .filter(({ data: { item } }) => item.kind === "message" && item.role === "assistant")
    .flatMap(({ data: { item } }) => item.content.map((part) => (part.type === "text" ? part.text : "")))
    .join("");
}
