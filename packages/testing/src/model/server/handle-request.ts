import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ScriptPlayer } from "../conversation/script-player.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialects } from "../dialects/dialects.ts";
import type { Json } from "../dialects/json.ts";
import { modelAnswer } from "../dialects/model-answer.ts";
import { modelList } from "../dialects/model-list.ts";
import { readBody } from "./read-body.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { redactHeaders } from "./redact-headers.ts";
import type { RequestLog } from "./request-log.ts";
import { writeAnswer } from "./write-answer.ts";

export interface ModelState {
  readonly player: ScriptPlayer;
  readonly log: RequestLog;
  readonly problems: string[];
  readonly models: readonly string[];
  readonly closed: AbortSignal;
  readonly onRequest: (request: RecordedRequest) => void;
}

/** Answer one HTTP request in the dialect its path belongs to. */
export async function handleRequest(
  state: ModelState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const method = request.method ?? "GET";
  const body = await readBody(request);
  const dialect = dialects.find((candidate) => candidate.asksForAnswer(method, url.pathname));
  if (dialect) return answer(state, dialect, body, url, request, response);
  const side = sideAnswer(state, method, url.pathname, body);
  response.writeHead(side === undefined ? 404 : 200, { "content-type": "application/json" });
  const missing = {
    error: { type: "not_found_error", message: `The scripted model has no ${method} ${url.pathname}` },
  };
  response.end(JSON.stringify(side ?? missing));
}

function sideAnswer(state: ModelState, method: string, path: string, body: Json): Json | undefined {
  const answers = dialects.map((dialect) => dialect.sideAnswer(method, path, body, state.models));
  return answers.find((found) => found !== undefined) ?? modelList(method, path, state.models);
}

async function answer(
  state: ModelState,
  dialect: Dialect,
  body: Json,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = dialect.read(body, url);
  const headers = redactHeaders(request.headers);
  const conversationId = dialect.conversationId(body, headers) ?? headers["x-session-id"];
  const play = state.player.play({ dialect: dialect.name, conversationId, request: asked });
  const index = state.log.requests.length;
  const { source, name, index: stepIndex } = play;
  const recorded: RecordedRequest = {
    ...asked,
    index,
    dialect: dialect.name,
    path: `${url.pathname}${url.search}`,
    headers,
    conversationId,
    answeredBy: { source, name, index: stepIndex },
    problems: play.problems,
    body,
  };
  state.problems.push(...play.problems.map((problem) => `Request ${index}: ${problem}`));
  state.log.add(recorded);
  state.onRequest(recorded);
  const id = createHash("sha256")
    .update(JSON.stringify([conversationId, index, name, stepIndex]))
    .digest("hex")
    .slice(0, 20);
  await writeAnswer(response, {
    dialect,
    step: play.step,
    answer: modelAnswer(play.step, id, asked.model),
    body,
    stream: asked.stream,
    signal: AbortSignal.any([state.closed, untilClosed(response)]),
  });
}

function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}
