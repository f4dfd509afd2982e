import { z } from "zod";

const maxPageSize = 1000;

const pageSize = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number)
  .refine((value) => value >= 1 && value <= maxPageSize, `must be between 1 and ${maxPageSize}`)
  .meta({ type: "integer", minimum: 1, maximum: maxPageSize, pattern: undefined });
const cursor = z.string().min(1).max(2000).optional().describe("`nextCursor` of the page before");

export const RuntimeSessionListQuery = z.object({
  limit: pageSize.optional().describe("At most this many sessions; default 100"),
  cursor,
  q: z.string().min(1).max(200).optional().describe("Only sessions with this text in id or name, in any case"),
  type: z.string().min(1).optional().describe("Only sessions of this agent"),
});
export type RuntimeSessionListQuery = z.infer<typeof RuntimeSessionListQuery>;

export const AuditQuery = z.object({
  limit: pageSize.optional().describe("At most this many entries; default 100"),
  cursor,
  principal: z.string().min(1).optional().describe("Only what this principal did"),
  sessionId: z.string().min(1).optional().describe("Only what was done with this session"),
});
export type AuditQuery = z.infer<typeof AuditQuery>;
