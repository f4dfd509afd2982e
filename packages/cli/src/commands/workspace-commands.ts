import { text } from "node:stream/consumers";
import type { Flag } from "../flag.ts";
import type { ApiCommand, Argument } from "./api-command.ts";
import type { CommandInput } from "./command-input.ts";
import { defined } from "./defined.ts";
import { readLocal, writeLocal } from "./local-bytes.ts";

const path: Argument = { name: "path", description: "directory on the daemon's machine", optional: true, asFlag: true };
const sessionFlag: Flag = {
  name: "session-id",
  short: "s",
  value: "id",
  description: "resolve relative paths against this session's directory",
};
const scanFlags: readonly Flag[] = [
  sessionFlag,
  { name: "ignored", description: "also what a .gitignore leaves out, and folders of dependencies" },
  { name: "secrets", description: "also files whose names say that they hold secrets" },
  { name: "max-file-bytes", value: "count", description: "leave out larger files (default: 100 MiB)" },
];

/** Directories as wholes. */
export const workspaceCommands: readonly ApiCommand[] = [
  {
    route: "deleteFsBatch",
    words: ["fs", "delete-batch"],
    summary: "Delete many files and directories",
    arguments: [path],
    flags: [
      sessionFlag,
      { name: "file", short: "f", value: "file", description: "local file with a path per line (default: stdin)" },
    ],
    examples: ["fs delete-batch --session-id demo --file gone.txt"],
    run: async ({ client, input, out }) => {
      const lines = await text(await readLocal(input.text("file")));
      const paths = lines.split("\n").filter((line) => line !== "");
      const answer = await client.deleteFsBatch({ paths }, place(input));
      await out.answer(answer, `Deleted ${answer.deleted}; ${answer.missing} were not there.`);
    },
  },
  {
    route: "getFsManifest",
    words: ["fs", "manifest"],
    summary: "All that is in a directory, with hashes, and what was left out",
    arguments: [path],
    flags: scanFlags,
    examples: ["fs manifest --session-id demo", "fs manifest src --session-id demo | jq .path"],
    run: async ({ client, input, out }) => {
      for await (const line of client.streamFsManifest(scanQuery(input))) {
        await out.write(`${out.isForPeople ? shown(line) : JSON.stringify(line)}\n`);
      }
    },
  },
  {
    route: "packFs",
    words: ["fs", "tar"],
    summary: "A directory as a tar archive",
    arguments: [path],
    flags: [
      ...scanFlags,
      { name: "file", short: "f", value: "file", description: "local file to write (default: stdout)" },
    ],
    examples: ["fs tar --session-id demo --file work.tar", "fs tar src --session-id demo | tar t"],
    run: async ({ client, input, out }) => {
      await writeLocal(input.text("file"), await client.packFs({}, scanQuery(input)), out);
      if (input.text("file") !== undefined) await out.done(`Saved ${input.text("file")}.`);
    },
  },
  {
    route: "getFsChangesSse",
    streams: true,
    words: ["fs", "changes"],
    summary: "Follow what is created, modified and deleted in a directory",
    arguments: [path],
    flags: [sessionFlag],
    examples: ["fs changes --session-id demo"],
    run: async ({ client, input, out }) => {
      for await (const change of client.streamFsChanges(place(input))) {
        await out.write(`${out.isForPeople ? shown(change) : JSON.stringify(change)}\n`);
      }
    },
  },
];

function place(input: CommandInput): { path?: string; sessionId?: string } {
  return defined({ path: input.optionalArgument("path"), sessionId: input.text("session-id") });
}

function scanQuery(input: CommandInput) {
  const ignored = input.flag("ignored");
  const secrets = input.flag("secrets");
  return { ...place(input), ...defined({ ignored, secrets, maxFileBytes: input.count("max-file-bytes") }) };
}

/** A line for people. */
function shown(line: { type: string; path?: string; reason?: string; entries?: number }): string {
  if (line.entries !== undefined) return `${line.entries} in all`;
  const name = line.path === undefined ? "" : JSON.stringify(line.path).slice(1, -1);
  return [line.type, line.reason, name].filter(Boolean).join("  ");
}
