import type { IncomingMessage, ServerResponse } from "node:http";
import type { AmpService } from "../amp/amp-service.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialects } from "../dialects/dialects.ts";
import type { Json } from "../dialects/json.ts";
import { modelList } from "../dialects/model-list.ts";
import { askScript } from "./ask-script.ts";
import type { ModelState } from "./model-state.ts";
import { readBody } from "./read-body.ts";
import { redactHeaders } from "./redact-headers.ts";
import { isRefused } from "./refused-keys.ts";
import { writeAnswer } from "./write-answer.ts";

/** Answer one HTTP request in the dialect its path belongs to. */
export async function handleRequest(
  state: ModelState,
  amp: AmpService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const method = request.method ?? "GET";
  const body = await readBody(request);
  const dialect = dialects.find((candidate) => candidate.asksForAnswer(method, url.pathname));
  if (isRefused(request.headers, state.refusedKeys)) {
    const refusal = dialect?.errorBody({}, 401) ?? { error: { type: "authentication_error", message: "Wrong key" } };
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify(refusal));
    return;
  }
  if (dialect) return answerAs(state, dialect, body, url, request, response);
  const side = amp.answer(method, url.pathname, body) ?? sideAnswer(state, method, url.pathname, body);
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

async function answerAs(
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
  const path = `${url.pathname}${url.search}`;
  const asks = { ...asked, dialect: dialect.name, path, headers, conversationId, body };
  const { step, answer } = askScript(state, asks);
  await writeAnswer(response, {
    dialect,
    step,
    answer,
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
