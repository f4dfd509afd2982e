import { z } from "zod";

export const FsEntryType = z.enum(["file", "directory"]).meta({ id: "FsEntryType" });
export type FsEntryType = z.infer<typeof FsEntryType>;

const stat = {
  path: z.string(),
  entryType: FsEntryType,
  size: z.int().nonnegative(),
  modified: z.string().nullish().describe("RFC 3339"),
};

export const FsEntry = z.object({ name: z.string(), ...stat }).meta({ id: "FsEntry" });
export type FsEntry = z.infer<typeof FsEntry>;

export const FsStat = z.object(stat).meta({ id: "FsStat" });
export type FsStat = z.infer<typeof FsStat>;

export const FsWriteResponse = z
  .object({ path: z.string(), bytesWritten: z.int().nonnegative() })
  .meta({ id: "FsWriteResponse" });
export type FsWriteResponse = z.infer<typeof FsWriteResponse>;

export const FsActionResponse = z.object({ path: z.string() }).meta({ id: "FsActionResponse" });
export type FsActionResponse = z.infer<typeof FsActionResponse>;

export const FsMoveRequest = z
  .object({
    from: z.string().min(1).describe("What is moved"),
    to: z.string().min(1).describe("Its new path, not a directory to put it into"),
    overwrite: z.boolean().nullish().describe("Replace what is there; default: it is refused"),
  })
  .meta({ id: "FsMoveRequest" });
export type FsMoveRequest = z.infer<typeof FsMoveRequest>;

export const FsMoveResponse = z.object({ from: z.string(), to: z.string() }).meta({ id: "FsMoveResponse" });
export type FsMoveResponse = z.infer<typeof FsMoveResponse>;

export const FsUploadBatchResponse = z
  .object({ paths: z.array(z.string()), truncated: z.boolean() })
  .meta({ id: "FsUploadBatchResponse" });
export type FsUploadBatchResponse = z.infer<typeof FsUploadBatchResponse>;
