import { MessageRequest, SandboxError, TurnStreamQuery } from "@sandbox-agent-ts/protocol";
import type { Context, Hono } from "hono";
import { type HttpContext, maxJsonBytes, maxMessageBytes } from "../http-context.ts";
import { sendEvents } from "../sse.ts";
import { turnChunks } from "../turn-chunks.ts";
import { readJson, readQuery } from "../validate.ts";

const maxKeyLength = 255;

export function messageRoutes(app: Hono, { sessions, closing }: HttpContext): void {
  const admit = async (c: Context) => {
    const session = sessions.get(c.req.param("sessionId")!);
    const request = await readJson(c, MessageRequest, { maxBytes: maxMessageBytes });
    const { message, messageId } = request;
    if (message.length > maxJsonBytes) throw tooLong();
    const attachments = await sessions.attachments.filesOf(session.id, request.attachments ?? []);
    const incoming = { message, attachments, ...(messageId ? { messageId } : {}) };
    return { session, turn: await session.admit(incoming, idempotencyKey(c)) };
  };

  app.post("/v1/sessions/:sessionId/messages", async (c) => {
    const { turn } = await admit(c);
    return c.json({ turnId: turn.turnId }, 202);
  });

  app.post("/v1/sessions/:sessionId/messages/stream", async (c) => {
    const { includeRaw } = readQuery(c, TurnStreamQuery);
    const { session, turn } = await admit(c);
    return sendEvents(c, closing, (signal) => turnChunks(session.log, turn, { signal, raw: includeRaw ?? false }));
  });
}

function tooLong(): SandboxError {
  const sentence = `The text of a message has at most ${maxJsonBytes} characters. Send what is longer as an attachment.`;
  return new SandboxError("payload_too_large", sentence);
}

function idempotencyKey(c: Context): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key === undefined || key.length <= maxKeyLength) return key || undefined;
  throw new SandboxError("invalid_request", `An Idempotency-Key has at most ${maxKeyLength} characters.`);
}
