import type { SessionDiff } from "@sandbox-agent-ts/sdk";
import { diffStatText, diffText } from "../output/diff-text.ts";
import type { Output } from "../output/output.ts";
import { type ApiCommand, sessionId } from "./api-command.ts";
import { defined } from "./defined.ts";

export const diffCommand: ApiCommand = {
  route: "getDiff",
  words: ["sessions", "diff"],
  summary: "Show what changed in the session's directory since it began, or since a turn began",
  arguments: [sessionId],
  flags: [
    { name: "turn", value: "turn-id", description: "since this turn began (default: since the session began)" },
    { name: "until", value: "turn-id", description: "until this later turn began (default: until now)" },
    { name: "path", value: "path", description: "only this file or directory" },
    { name: "stat", description: "only which files changed, and by how many lines" },
  ],
  examples: ["sessions diff demo", "sessions diff demo --stat", "sessions diff demo | git apply -R"],
  run: async ({ client, input, out }) => {
    const id = input.argument("session-id");
    const isShort = input.flag("stat") === true;
    const query = defined({ turn: input.text("turn"), until: input.text("until"), path: input.text("path") });
    // A program gets the patch byte by byte, which JSON does not carry for files that are no UTF-8.
    const patch = out.audience === "plain" && !isShort ? await client.getPatch(id, query) : undefined;
    const diff = await client.getDiff(id, isShort || patch ? { ...query, format: "summary" } : query);
    if (out.audience === "json") return out.json(diff);
    if (patch) await out.write(patch);
    else await out.write(isShort ? diffStatText(diff.files, out.paint) : diffText(diff.diff ?? "", out.paint));
    await tellNotes(diff, out);
  },
};

/** For programs they are not part of the result. */
async function tellNotes({ files, notes }: SessionDiff, out: Output): Promise<void> {
  if (out.isForPeople && files.length === 0) await out.line("Nothing changed.");
  for (const note of notes ?? []) {
    if (out.isForPeople) await out.line(out.paint("dim", note));
    else process.stderr.write(`${note}\n`);
  }
}
