import { z } from "zod";

export const FileChange = z
  .object({
    path: z.string().describe("Relative to the session's directory; absolute where it lies outside"),
    oldPath: z.string().nullish().describe("What it was called before, for renamed"),
    status: z.enum(["added", "modified", "deleted", "renamed"]),
    additions: z.int().nonnegative().describe("Lines; 0 for a binary file"),
    deletions: z.int().nonnegative().describe("Lines; 0 for a binary file"),
    binary: z.boolean().nullish(),
  })
  .meta({ id: "FileChange" });
export type FileChange = z.infer<typeof FileChange>;

export const DiffBase = z
  .object({
    kind: z.enum(["session", "turn"]),
    turnId: z.string().nullish().describe("The turn at whose start the files were as they are compared with"),
    time: z.int().describe("When that was, epoch milliseconds"),
  })
  .meta({ id: "DiffBase" });
export type DiffBase = z.infer<typeof DiffBase>;

export const DiffSource = z.enum(["git", "snapshot", "log"]).meta({
  id: "DiffSource",
  description:
    "How it is known: the directory lies in a git repository, or is compared as a plain directory, or only what the agent reported is known",
});
export type DiffSource = z.infer<typeof DiffSource>;

export const SessionDiff = z
  .object({
    base: DiffBase,
    files: z.array(FileChange),
    diff: z.string().nullish().describe("Unified diff of all of them; absent with `format=summary`"),
    truncated: z.boolean().describe("Something was left out; `notes` says what"),
    source: DiffSource,
    notes: z.array(z.string()).nullish().describe("What is missing or uncertain, as sentences"),
  })
  .meta({ id: "SessionDiff" });
export type SessionDiff = z.infer<typeof SessionDiff>;
