import type { Flag } from "../flag.ts";
import { countOf } from "../output/number-text.ts";
import type { ApiCommand, Argument } from "./api-command.ts";
import type { CommandInput } from "./command-input.ts";
import { defined } from "./defined.ts";
import { readLocal, writeLocal } from "./local-bytes.ts";

const path: Argument = { name: "path", description: "path on the daemon's machine", asFlag: true };
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
    flags: [sessionFlag],
    examples: ["fs entries", "fs entries src --session-id demo"],
    run: async ({ client, input, out }) => {
      const entries = await client.listFsEntries({ ...optionalPath(input), ...session(input) });
      const rows = entries.map(({ entryType, size, modified, name }) => [
        entryType,
        out.bytes(size),
        typeof modified === "string" ? out.moment(Date.parse(modified)) : "",
        name,
      ]);
      const columns = ["type", "size", "modified", { title: "name", shrink: "middle" }] as const;
      await out.list(entries, columns, rows, "The directory is empty.");
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
      if (input.text("file") !== undefined) await out.done(`Saved ${input.text("file")}.`);
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
      const answer = await client.writeFsFile({ path: input.argument("path"), ...session(input) }, bytes);
      await out.answer(answer, `Wrote ${out.bytes(answer.bytesWritten)} to ${answer.path}.`);
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
      const answer = await client.deleteFsEntry({ path: input.argument("path"), ...session(input), ...recursive });
      await out.answer(answer, `Deleted ${answer.path}.`);
    },
  },
  {
    route: "mkdirFs",
    words: ["fs", "mkdir"],
    summary: "Make a directory and its parents",
    arguments: [path],
    flags: [sessionFlag],
    examples: ["fs mkdir src/new --session-id demo"],
    run: async ({ client, input, out }) => {
      const answer = await client.mkdirFs({ path: input.argument("path"), ...session(input) });
      await out.answer(answer, `Made ${answer.path}.`);
    },
  },
  {
    route: "moveFs",
    words: ["fs", "move"],
    summary: "Move or rename a file or directory",
    arguments: [
      { name: "from", description: "path it has", asFlag: true },
      { name: "to", description: "path it gets", asFlag: true },
    ],
    flags: [sessionFlag, { name: "overwrite", description: "replace what is there" }],
    examples: ["fs move draft.md final.md --session-id demo"],
    run: async ({ client, input, out }) => {
      const overwrite = defined({ overwrite: input.flag("overwrite") });
      const request = { from: input.argument("from"), to: input.argument("to"), ...overwrite };
      const answer = await client.moveFs(request, session(input));
      await out.answer(answer, `Moved ${answer.from} to ${answer.to}.`);
    },
  },
  {
    route: "statFs",
    words: ["fs", "stat"],
    summary: "What is at a path?",
    arguments: [path],
    flags: [sessionFlag],
    examples: ["fs stat notes.md --session-id demo"],
    run: async ({ client, input, out }) => {
      const stat = await client.statFs({ path: input.argument("path"), ...session(input) });
      const modified = typeof stat.modified === "string" ? { modified: out.moment(Date.parse(stat.modified)) } : {};
      await out.details(stat, out.isForPeople ? { ...stat, size: out.bytes(stat.size), ...modified } : stat);
    },
  },
  {
    route: "uploadFsBatch",
    words: ["fs", "upload-batch"],
    summary: "Unpack a tar archive into a directory",
    arguments: [{ ...path, optional: true }],
    flags: [
      sessionFlag,
      { name: "file", short: "f", value: "file", description: "local tar file (default: stdin)" },
      { name: "exact", description: "also take symlinks, directories' permissions and times" },
    ],
    examples: ["fs upload-batch --session-id demo --file project.tar", "tar c . | sandbox-agent fs upload-batch copy"],
    run: async ({ client, input, out }) => {
      const bytes = await readLocal(input.text("file"));
      const exact = defined({ exact: input.flag("exact") });
      const answer = await client.uploadFsBatch(bytes, { ...optionalPath(input), ...session(input), ...exact });
      await out.answer(answer, `Unpacked ${countOf(answer.paths.length, "file")}.`);
    },
  },
];

function session(input: CommandInput): { sessionId?: string } {
  return defined({ sessionId: input.text("session-id") });
}

function optionalPath(input: CommandInput): { path?: string } {
  return defined({ path: input.optionalArgument("path") });
}
