import { z } from "zod";

/**
 * A path relative to the directory that was asked about, with `/` between its parts. A name on Linux is bytes: where they are
 * not UTF-8, `path` is for people and `pathBytes` has them in base64.
 */
const place = {
  path: z.string(),
  pathBytes: z.string().optional().describe("The path's bytes in base64, where they are not UTF-8"),
};

const mode = z.int().min(0).max(0o777).describe("Permission bits");

const file = z.object({
  type: z.literal("file"),
  ...place,
  mode,
  size: z.int().nonnegative(),
  mtime: z.number().describe("Time of the last change, epoch milliseconds of a whole second"),
  hash: z.string().describe("SHA-256 of the content, in hexadecimal"),
});
const directory = z.object({ type: z.literal("directory"), ...place, mode });
const symlink = z.object({
  type: z.literal("symlink"),
  ...place,
  target: z.string().describe("What the link says, whether or not that is there"),
  targetBytes: z.string().optional().describe("Its bytes in base64, where they are not UTF-8"),
});

/** Something in a workspace. */
export const WorkspaceEntry = z.discriminatedUnion("type", [file, directory, symlink]);
export type WorkspaceEntry = z.infer<typeof WorkspaceEntry>;

export const LeftOutReason = z
  .enum(["ignored", "dependency", "secret", "too_large", "too_deep", "limit", "unreadable", "special"])
  .describe("`ignored`: by a .gitignore; `special`: a socket, pipe or device; `limit`: there is too much in all")
  .meta({ id: "LeftOutReason" });
export type LeftOutReason = z.infer<typeof LeftOutReason>;

/** Something that is there and not in the manifest; a directory stands for all that is in it. */
export const LeftOut = z
  .object({ type: z.literal("left_out"), ...place, reason: LeftOutReason, size: z.int().nonnegative().optional() })
  .meta({ id: "LeftOut" });
export type LeftOut = z.infer<typeof LeftOut>;

const end = z.object({
  type: z.literal("end"),
  entries: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  leftOut: z
    .partialRecord(LeftOutReason, z.int().nonnegative())
    .describe("How many were left out, by reason; of very many only the first have a line"),
});

/** A line of a manifest. The last one is `end`; without it the manifest was cut off. */
export const FsManifestLine = z
  .discriminatedUnion("type", [file, directory, symlink, LeftOut, end])
  .meta({ id: "FsManifestLine" });
export type FsManifestLine = z.infer<typeof FsManifestLine>;

const maxPaths = 100_000;

export const FsTarRequest = z
  .object({
    paths: z.array(z.string().min(1)).max(maxPaths).optional().describe("Default: all that the manifest lists"),
    pathBytes: z.array(z.string().min(1)).max(maxPaths).optional().describe("Paths that are not UTF-8, in base64"),
  })
  .meta({ id: "FsTarRequest" });
export type FsTarRequest = z.infer<typeof FsTarRequest>;

export const FsDeleteBatchRequest = z
  .object({
    paths: z.array(z.string().min(1)).max(maxPaths).describe("Files, or directories with all that is in them"),
  })
  .meta({ id: "FsDeleteBatchRequest" });
export type FsDeleteBatchRequest = z.infer<typeof FsDeleteBatchRequest>;

export const FsDeleteBatchResponse = z
  .object({ deleted: z.int().nonnegative(), missing: z.int().nonnegative() })
  .meta({ id: "FsDeleteBatchResponse" });
export type FsDeleteBatchResponse = z.infer<typeof FsDeleteBatchResponse>;

const FileChangeType = z.enum(["created", "modified", "deleted"]);
/** What happens to something in a directory. */
export type FileChangeType = z.infer<typeof FileChangeType>;

const changed = z.object({
  type: FileChangeType,
  ...place,
  entryType: z.enum(["file", "directory", "symlink"]),
});

/** What two changes of one thing are together; undefined: nothing. */
export function bothChanges(first: FileChangeType, second: FileChangeType): FileChangeType | undefined {
  if (first === "created") return second === "deleted" ? undefined : "created";
  return first === "deleted" && second !== "deleted" ? "modified" : second;
}

/**
 * What happens in a directory. `ready` comes first: what changes after it is told. After `overflow` more has changed than
 * could be told one by one: compare manifests.
 */
export const FsChange = z
  .discriminatedUnion("type", [
    changed,
    z.object({ type: z.literal("ready") }),
    z.object({ type: z.literal("overflow") }),
  ])
  .meta({ id: "FsChange" });
export type FsChange = z.infer<typeof FsChange>;

/** Something that was changed, without its content. */
export type ChangedFile = Omit<z.infer<typeof changed>, "type">;
