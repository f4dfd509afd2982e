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

const checkpointNumber = z
  .string()
  .regex(/^\d{1,15}$/, "must be the number of a checkpoint")
  .transform(Number)
  .meta({ type: "integer", minimum: 1, pattern: undefined });

export const RuntimeFilesQuery = z.object({
  checkpoint: checkpointNumber
    .optional()
    .describe("As this checkpoint has it; default: the sandbox, without one the newest checkpoint"),
});
export type RuntimeFilesQuery = z.infer<typeof RuntimeFilesQuery>;

export const CheckpointDiffQuery = z.object({
  format: z.enum(["unified", "summary"]).optional().describe("`summary`: without the text; default `unified`"),
});
export type CheckpointDiffQuery = z.infer<typeof CheckpointDiffQuery>;

export const AuditQuery = z.object({
  limit: pageSize.optional().describe("At most this many entries; default 100"),
  cursor,
  principal: z.string().min(1).optional().describe("Only what this principal did"),
  sessionId: z.string().min(1).optional().describe("Only what was done with this session"),
});
export type AuditQuery = z.infer<typeof AuditQuery>;
