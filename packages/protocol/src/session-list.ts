import { z } from "zod";
import { SessionInfo } from "./session.ts";

export const SessionListResponse = z
  .object({
    sessions: z.array(SessionInfo),
    nextCursor: z.string().nullish().describe("Where the next page begins; absent when there is none"),
  })
  .meta({ id: "SessionListResponse" });
export type SessionListResponse = z.infer<typeof SessionListResponse>;

export const SessionListEntry = SessionInfo.omit({
  mcp: true,
  skills: true,
  policy: true,
  requestTimeout: true,
  metadata: true,
  profileLosses: true,
  commands: true,
}).meta({
  id: "SessionListEntry",
  description: "A session as the stream of all sessions tells it: SessionInfo without its longer settings",
});
export type SessionListEntry = z.infer<typeof SessionListEntry>;

const withSession = { session: SessionListEntry };

export const SessionListEvent = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("reset"),
      reason: z
        .enum(["connected", "restarted", "expired"])
        .describe("A new stream, another start of the daemon, or a place too far back"),
    }),
    z.object({ type: z.literal("session.created"), ...withSession }),
    z.object({ type: z.literal("session.changed"), ...withSession }),
    z.object({ type: z.literal("session.waiting"), ...withSession }),
    z.object({ type: z.literal("session.ended"), ...withSession }),
    z.object({ type: z.literal("session.deleted"), sessionId: z.string() }),
  ])
  .meta({
    id: "SessionListEvent",
    description: "A change of the list of sessions; `reset` means that the list has to be read again",
  });
export type SessionListEvent = z.infer<typeof SessionListEvent>;
