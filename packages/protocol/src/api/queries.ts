import { z } from "zod";
import { SessionStatus } from "../session.ts";

/**
 * Query values arrive as text; both `includeRaw` and `include_raw` are understood for every name. What clients are told
 * in OpenAPI is the value that the text stands for, hence the `meta`.
 */
const flag = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .meta({ type: "boolean", enum: undefined });
const count = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number)
  .meta({ type: "integer", minimum: 0, pattern: undefined });

export const HealthQuery = z.object({
  details: flag.optional().describe("Say what is held in memory; needs the token"),
});
export type HealthQuery = z.infer<typeof HealthQuery>;

export const AgentListQuery = z.object({
  newest: flag
    .optional()
    .describe("Look up the newest version of each agent; one that is not found out soon is left out"),
});
export type AgentListQuery = z.infer<typeof AgentListQuery>;

export const EventsQuery = z.object({
  offset: count.optional().describe("The last sequence already seen; default 0"),
  limit: count.optional().describe("At most this many events; default all"),
  includeRaw: flag.optional().describe("Add the agent's own payload to each event"),
});
export type EventsQuery = z.infer<typeof EventsQuery>;

export const EventStreamQuery = EventsQuery.omit({ limit: true });
export type EventStreamQuery = z.infer<typeof EventStreamQuery>;

export const TurnStreamQuery = EventsQuery.pick({ includeRaw: true });
export type TurnStreamQuery = z.infer<typeof TurnStreamQuery>;

/** The most sessions that one page may have. */
const maxPageSize = 1000;

/** Values that may be repeated; the daemon also takes them in one, with commas between. */
const statuses = z
  .string()
  .transform((value) => value.split(","))
  .pipe(z.array(SessionStatus))
  .meta({ type: "array", items: { type: "string", enum: SessionStatus.options } });

export const SessionListQuery = z.object({
  limit: count
    .refine((value) => value >= 1 && value <= maxPageSize, `must be between 1 and ${maxPageSize}`)
    .meta({ type: "integer", minimum: 1, maximum: maxPageSize, pattern: undefined })
    .optional()
    .describe("At most this many sessions; default all"),
  cursor: z.string().min(1).max(2000).optional().describe("`nextCursor` of the page before"),
  agent: z.string().min(1).optional().describe("Only sessions with this agent"),
  status: statuses.optional().describe("Only sessions with one of these, repeated or with commas between"),
  directory: z.string().min(1).optional().describe("Only sessions that work in this directory"),
  search: z.string().min(1).max(200).optional().describe("Only sessions with this text in id or title, in any case"),
});
export type SessionListQuery = z.infer<typeof SessionListQuery>;

export const SessionListStreamQuery = z.object({
  after: z.string().max(200).optional().describe("The last event id already seen, like `Last-Event-ID`"),
});
export type SessionListStreamQuery = z.infer<typeof SessionListStreamQuery>;
export const DiffQuery = z.object({
  turn: z.string().min(1).optional().describe("Compare with the start of this turn; default: the session's start"),
  until: z.string().min(1).optional().describe("Compare with the start of this later turn; default: now"),
  path: z.string().min(1).optional().describe("Only this file or directory"),
  format: z
    .enum(["full", "summary", "patch"])
    .optional()
    .describe("`summary` leaves out the text, `patch` answers with nothing but it; default: full"),
});
export type DiffQuery = z.infer<typeof DiffQuery>;

const sessionId = z.string().min(1).optional().describe("Resolve relative paths against this session's directory");
const path = z.string().min(1).describe("Absolute, or relative to the session's directory or the daemon's root");

export const FsPathQuery = z.object({ path, sessionId });
export type FsPathQuery = z.infer<typeof FsPathQuery>;

export const FsOptionalPathQuery = z.object({
  path: path.optional().describe("Default: the directory itself"),
  sessionId,
});
export type FsOptionalPathQuery = z.infer<typeof FsOptionalPathQuery>;

export const FsDeleteQuery = z.object({
  path,
  sessionId,
  recursive: flag.optional().describe("Also delete a directory that is not empty"),
});
export type FsDeleteQuery = z.infer<typeof FsDeleteQuery>;

export const FsSessionQuery = z.object({ sessionId });
export type FsSessionQuery = z.infer<typeof FsSessionQuery>;

export const FsUploadQuery = z.object({
  path: path.optional().describe("Default: the directory itself"),
  sessionId,
  exact: flag.optional().describe("Also take symlinks, the permissions of directories and times from the archive"),
});
export type FsUploadQuery = z.infer<typeof FsUploadQuery>;

export const FsManifestQuery = z.object({
  path: path.optional().describe("Default: the directory itself"),
  sessionId,
  ignored: flag.optional().describe("Also what a .gitignore leaves out, and folders of dependencies"),
  secrets: flag.optional().describe("Also files whose names say that they hold secrets"),
  maxFileBytes: count.optional().describe("Leave out larger files; default 100 MiB"),
  maxBytes: count.optional().describe("Leave out what goes beyond this sum of sizes; default 2 GiB"),
  maxEntries: count.optional().describe("Leave out what goes beyond this number; default 100,000"),
});
export type FsManifestQuery = z.infer<typeof FsManifestQuery>;
