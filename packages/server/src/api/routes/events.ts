import {
  EventStreamQuery,
  EventsQuery,
  eventRecordsType,
  SandboxError,
  SessionListStreamQuery,
} from "@sandbox-agent-ts/protocol";
import type { Context, Hono } from "hono";
import { sendEventList } from "../event-list.ts";
import type { ApiServices } from "../services.ts";
import { sendEvents, sendRecords } from "../sse.ts";
import { readQuery } from "../validate.ts";

export function eventRoutes(app: Hono, { sessions, closing }: ApiServices): void {
  app.get("/v1/events/sse", (c) => {
    const { after } = readQuery(c, SessionListStreamQuery);
    const lastSeen = c.req.header("last-event-id") || after || undefined;
    return sendEvents(c, closing, (signal) => sessions(c).followList(lastSeen, signal));
  });

  app.get("/v1/sessions/:sessionId/events", async (c) => {
    const log = await sessions(c).log(c.req.param("sessionId"));
    const { offset = 0, limit = Number.POSITIVE_INFINITY, includeRaw = false } = readQuery(c, EventsQuery);
    const hasMore = log.head - offset > limit;
    return sendEventList(c, log.read(offset, limit, includeRaw), hasMore);
  });

  app.get("/v1/sessions/:sessionId/events/sse", async (c) => {
    const log = await sessions(c).log(c.req.param("sessionId"));
    const { offset = 0, includeRaw = false } = readQuery(c, EventStreamQuery);
    const after = lastEventId(c) ?? offset;
    if (c.req.header("accept")?.includes(eventRecordsType)) {
      return sendRecords(c, closing, (signal) => log.follow(after, { signal, raw: includeRaw && "beside" }));
    }
    return sendEvents(c, closing, (signal) => log.follow(after, { signal, raw: includeRaw }));
  });
}

function lastEventId(c: Context): number | undefined {
  const id = c.req.header("last-event-id");
  if (id === undefined || id === "") return undefined;
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw new SandboxError("invalid_request", `Last-Event-ID must be a sequence number, not "${id}".`);
}
