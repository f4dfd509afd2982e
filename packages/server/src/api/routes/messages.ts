import { MessageRequest, SandboxError, TurnStreamQuery } from "@sandbox-agent-ts/protocol";
import type { Context, Hono } from "hono";
import { sendJson } from "../compression.ts";
import { idempotencyKey } from "../idempotency-key.ts";
import { type ApiServices, maxJsonBytes, maxMessageBytes } from "../services.ts";
import { sendEvents } from "../sse.ts";
import { turnChunks } from "../turn-chunks.ts";
import { readJson, readQuery } from "../validate.ts";

export function messageRoutes(app: Hono, { sessions, closing }: ApiServices): void {
  const admit = async (c: Context) => {
    const service = sessions(c);
    const log = await service.log(c.req.param("sessionId")!);
    const request = await readJson(c, MessageRequest, { maxBytes: maxMessageBytes });
    if (request.message.length > maxJsonBytes) throw tooLong();
    return { log, turn: await service.admit(c.req.param("sessionId")!, request, idempotencyKey(c)) };
  };

  app.post("/v1/sessions/:sessionId/messages", async (c) => {
    const { turn } = await admit(c);
    return c.json({ turnId: turn.turnId }, 202);
  });

  app.post("/v1/sessions/:sessionId/messages/stream", async (c) => {
    const { includeRaw } = readQuery(c, TurnStreamQuery);
    const { log, turn } = await admit(c);
    return sendEvents(c, closing, (closed) => {
      const signal = turn.withdrawn ? AbortSignal.any([closed, turn.withdrawn]) : closed;
      return turnChunks(log, turn, { signal, raw: includeRaw ?? false });
    });
  });

  app.get("/v1/sessions/:sessionId/turns", async (c) => sendJson(c, await sessions(c).turns(c.req.param("sessionId"))));

  app.delete("/v1/sessions/:sessionId/turns/:turnId", async (c) => {
    await sessions(c).withdrawTurn(c.req.param("sessionId"), c.req.param("turnId"));
    return c.body(null, 204);
  });
}

function tooLong(): SandboxError {
  const sentence = `The text of a message has at most ${maxJsonBytes} characters. Send what is longer as an attachment.`;
  return new SandboxError("payload_too_large", sentence);
}
