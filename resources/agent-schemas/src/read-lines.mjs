import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const linesOf = (file) => readFileSync(file, "utf8").split("\n").filter(Boolean);
const filesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => join(folder, name));

/** What the programs said in the recordings of a folder; each is a conversation of its own. */
export const readRecordings = (folder) =>
  filesIn(folder).flatMap((file, process) => linesOf(file).map((line) => ({ line, process, from: "agent" })));

/** What the contract suite kept of what programs said and were told. */
export const readKeptLines = (folder) =>
  filesIn(folder).flatMap((file) =>
    linesOf(file).map((text) => {
      const { process, ...kept } = JSON.parse(text);
      return { ...kept, process: `${file} ${process}` };
    }),
  );
