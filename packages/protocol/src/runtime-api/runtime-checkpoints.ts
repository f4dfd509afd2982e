import { z } from "zod";
import { FileChange } from "../session-diff.ts";
import { LeftOutReason } from "../workspace.ts";

export const RuntimeCheckpoint = z
  .object({
    number: z.int().describe("Counts on in its session"),
    sequence: z.int().describe("The last event of the session's log when it was taken"),
    at: z.int().describe("When it was taken, epoch milliseconds"),
    entries: z.int().describe("Files, directories and symlinks"),
    bytes: z.int(),
    leftOut: z.partialRecord(LeftOutReason, z.int().nonnegative()).describe("How many were left out, by reason"),
    leftOutExamples: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .describe("The first of what was left out"),
  })
  .meta({ id: "RuntimeCheckpoint", description: "The files of a session as they were at the end of a turn" });
export type RuntimeCheckpoint = z.infer<typeof RuntimeCheckpoint>;

export const RuntimeCheckpointsResponse = z
  .object({
    checkpoints: z.array(RuntimeCheckpoint).describe("Newest first"),
    kept: z.int().describe("So many of a session stay; the oldest go"),
  })
  .meta({ id: "RuntimeCheckpointsResponse" });
export type RuntimeCheckpointsResponse = z.infer<typeof RuntimeCheckpointsResponse>;

export const RuntimeCheckpointDiff = z
  .object({
    from: z.int(),
    to: z.int(),
    files: z.array(FileChange).describe("Files and symlinks that differ, by path"),
    diff: z.string().optional().describe("Unified diff of all texts among them; absent with `format=summary`"),
    truncated: z.boolean().describe("Something was left out; `notes` says what"),
    notes: z.array(z.string()).describe("What is missing, as sentences"),
  })
  .meta({ id: "RuntimeCheckpointDiff" });
export type RuntimeCheckpointDiff = z.infer<typeof RuntimeCheckpointDiff>;
