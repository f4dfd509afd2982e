import type { Flag } from "../flag.ts";
import { type ApiCommand, includeRawFlag, sessionId } from "./api-command.ts";
import { defined } from "./defined.ts";

const offsetFlag: Flag = {
  name: "offset",
  short: "o",
  value: "sequence",
  description: "last sequence already seen (default: 0)",
};

export const eventsCommands: readonly ApiCommand[] = [
  {
    route: "getEvents",
    words: ["sessions", "events"],
    alias: "get-messages",
    summary: "Print what happened so far",
    arguments: [sessionId],
    flags: [
      offsetFlag,
      { name: "limit", short: "l", value: "count", description: "at most this many (default: all)" },
      includeRawFlag,
      { name: "json", description: "print one document with `events` and `hasMore`" },
    ],
    examples: ["sessions events demo", "sessions events demo --offset 100 --limit 50 --json"],
    run: async ({ client, input, out }) => {
      const query = defined({
        offset: input.count("offset"),
        limit: input.count("limit"),
        includeRaw: input.flag("include-raw"),
      });
      const answer = await client.getEvents(input.argument("session-id"), query);
      if (input.flag("json")) return out.json(answer);
      await out.events(answer.events);
    },
  },
  {
    route: "getEventsSse",
    streams: true,
    words: ["sessions", "events-sse"],
    summary: "Follow a session: print what was, then what comes",
    arguments: [sessionId],
    flags: [offsetFlag, includeRawFlag],
    examples: ["sessions events-sse demo", "sessions events-sse demo --offset 42 | jq .type"],
    run: async ({ client, input, out }) => {
      const query = defined({ offset: input.count("offset"), includeRaw: input.flag("include-raw") });
      await out.events(client.streamEvents(input.argument("session-id"), query));
    },
  },
];
