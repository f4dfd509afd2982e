import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { UniversalEvent } from "../api-types.ts";

/** A real HTTP server on a free port that is gone when the test is over. */
export async function listen(answer: (...call: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function respondJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const type = status < 400 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type, ...headers }).end(JSON.stringify(body));
}

export function respondProblem(response: ServerResponse, status: number, code: string, detail: string): void {
  respondJson(response, status, { type: `urn:sandbox-agent:error:${code}`, title: code, status, detail });
}

export function openSse(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
}

export const frame = (event: UniversalEvent): string => `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`;

export const offsetOf = (request: IncomingMessage): number =>
  Number(new URL(request.url ?? "", "http://local").searchParams.get("offset") ?? 0);

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

export async function sequences(events: AsyncIterable<UniversalEvent>): Promise<number[]> {
  const seen: number[] = [];
  for await (const event of events) seen.push(event.sequence);
  return seen;
}

const envelope = (sequence: number) => ({
  event_id: `e${sequence}`,
  sequence,
  time: "2026-01-01T00:00:00.000Z",
  session_id: "s",
  native_session_id: null,
  source: "agent" as const,
  synthetic: false,
});

export const delta = (sequence: number, text = `Δ${sequence} €`): UniversalEvent => ({
  ...envelope(sequence),
  type: "item.delta",
  data: { item_id: "i", delta: text },
});

export const sessionEnded = (sequence: number): UniversalEvent => ({
  ...envelope(sequence),
  type: "session.ended",
  data: { reason: "terminated", terminated_by: "daemon" },
});

export const turnStarted = (sequence: number, turnId: string): UniversalEvent => ({
  ...envelope(sequence),
  type: "turn.started",
  data: { phase: "started", turn_id: turnId },
});

export const turnEnded = (sequence: number, turnId: string): UniversalEvent => ({
  ...envelope(sequence),
  type: "turn.ended",
  data: { phase: "ended", turn_id: turnId, metadata: { reason: "completed" } },
});
