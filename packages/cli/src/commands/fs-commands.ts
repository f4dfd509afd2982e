import type { Flag } from "../flag.ts";
import { type ApiCommand, type Argument, jsonFlag } from "./api-command.ts";
import type { CommandInput } from "./command-input.ts";
import { defined } from "./defined.ts";
import { readLocal, writeLocal } from "./local-bytes.ts";

const path: Argument = { name: "path", description: "path on the daemon's machine" };
const sessionFlag: Flag = {
  name: "session-id",
  short: "s",
  value: "id",
  description: "resolve relative paths against this session's directory",
};

export const fsCommands: readonly ApiCommand[] = [
  {
    route: "listFsEntries",
    words: ["fs", "entries"],
    summary: "List a directory",
    arguments: [{ ...path, optional: true }],
    flags: [sessionFlag, jsonFlag],
    examples: ["fs entries", "fs entries src --session-id demo"],
    run: async ({ client, input, out }) => {
      const entries = await client.listFsEntries({ ...optionalPath(input), ...session(input) });
      if (input.flag("json")) return out.json(entries);
      const rows = entries.map((entry) => [entry.entryType, String(entry.size), entry.modified ?? "", entry.name]);
      await out.table(["type", "size", "modified", "name"], rows);
    },
  },
  {
    route: "readFsFile",
    words: ["fs", "read"],
    summary: "Print a file, or save it",
    arguments: [path],
    flags: [
      sessionFlag,
      { name: "file", short: "f", value: "file", description: "local file to write (default: stdout)" },
    ],
    examples: ["fs read notes.md --session-id demo", "fs read out.png --file out.png"],
    run: async ({ client, input, out }) => {
      const bytes = await client.streamFsFile({ path: input.argument("path"), ...session(input) });
      await writeLocal(input.text("file"), bytes, out);
    },
  },
  {
    route: "writeFsFile",
    words: ["fs", "write"],
    summary: "Write a file; missing directories are made",
    arguments: [path],
    flags: [
      sessionFlag,
      { name: "file", short: "f", value: "file", description: "local file to send (default: stdin)" },
    ],
    examples: ["fs write notes.md --session-id demo < notes.md", "fs write logo.png --file logo.png"],
    run: async ({ client, input, out }) => {
      const bytes = await readLocal(input.text("file"));
      await out.json(await client.writeFsFile({ path: input.argument("path"), ...session(input) }, bytes));
    },
  },
  {
    route: "deleteFsEntry",
    words: ["fs", "delete"],
    summary: "Delete a file or directory",
    arguments: [path],
    flags: [sessionFlag, { name: "recursive", short: "r", description: "also a directory that is not empty" }],
    examples: ["fs delete notes.md", "fs delete build --recursive --session-id demo"],
    run: async ({ client, input, out }) => {
      const recursive = defined({ recursive: input.flag("recursive") });
      await out.json(await client.deleteFsEntry({ path: input.argument("path"), ...session(input), ...recursive }));
    },
  },
  {
    route: "mkdirFs",
    words: ["fs", "mkdir"],
    summary: "Make a directory and its parents",
    arguments: [path],
    flags: [sessionFlag],
    examples: ["fs mkdir src/new --session-id demo"],
    run: async ({ client, input, out }) =>
      out.json(await client.mkdirFs({ path: input.argument("path"), ...session(input) })),
  },
  {
    route: "moveFs",
    words: ["fs", "move"],
    summary: "Move or rename a file or directory",
    arguments: [
      { name: "from", description: "path it has" },
      { name: "to", description: "path it gets" },
    ],
    flags: [sessionFlag, { name: "overwrite", description: "replace what is there" }],
    examples: ["fs move draft.md final.md --session-id demo"],
    run: async ({ client, input, out }) => {
      const overwrite = defined({ overwrite: input.flag("overwrite") });
      const request = { from: input.argument("from"), to: input.argument("to"), ...overwrite };
      await out.json(await client.moveFs(request, session(input)));
    },
  },
  {
    route: "statFs",
    words: ["fs", "stat"],
    summary: "What is at a path?",
    arguments: [path],
    flags: [sessionFlag, jsonFlag],
    examples: ["fs stat notes.md --session-id demo"],
    run: async ({ client, input, out }) => {
      const stat = await client.statFs({ path: input.argument("path"), ...session(input) });
      await (input.flag("json") ? out.json(stat) : out.properties(stat));
    },
  },
  {
    route: "uploadFsBatch",
    words: ["fs", "upload-batch"],
    summary: "Unpack a tar archive into a directory",
    arguments: [{ ...path, optional: true }],
    flags: [sessionFlag, { name: "file", short: "f", value: "file", description: "local tar file (default: stdin)" }],
    examples: ["fs upload-batch --session-id demo --file project.tar", "tar c . | sandbox-agent fs upload-batch copy"],
    run: async ({ client, input, out }) => {
      const bytes = await readLocal(input.text("file"));
      await out.json(await client.uploadFsBatch(bytes, { ...optionalPath(input), ...session(input) }));
    },
  },
];

function session(input: CommandInput): { sessionId?: string } {
  return defined({ sessionId: input.text("session-id") });
}

function optionalPath(input: CommandInput): { path?: string } {
  return defined({ path: input.optionalArgument("path") });
}
