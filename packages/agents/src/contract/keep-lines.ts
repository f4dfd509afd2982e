import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { AgentHost } from "../agent.ts";

type Spawn = AgentHost["spawn"];

/** Keeps, for the radar, what programs print and are told in the suite; nothing without a directory to keep it in. */
export interface LineKeeper {
  watch(spawn: Spawn): Spawn;
  /** What came another way than over a pipe, e.g. over HTTP. */
  keep(lines: readonly string[]): void;
}

const forgetful: LineKeeper = { watch: (spawn) => spawn, keep: () => {} };

/** One line of a file: of which process, who said it, and what. */
export function lineKeeper(directory: string | undefined): LineKeeper {
  if (!directory) return forgetful;
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${process.pid}.jsonl`);
  let processes = 0;
  const write = (from: "agent" | "us", number: number, lines: readonly string[]) => {
    const text = lines.map((line) => `${JSON.stringify({ process: number, from, line })}\n`).join("");
    if (text !== "") appendFileSync(file, text);
  };
  return {
    keep: (lines) => write("agent", 0, lines),
    watch: (spawn) => (options) => {
      const number = ++processes;
      const onLines = (lines: readonly string[]) => {
        write("agent", number, lines);
        options.onLines(lines);
      };
      const program = spawn({ ...options, onLines });
      return {
        ...program,
        writeLine(line) {
          write("us", number, [line]);
          return program.writeLine(line);
        },
      };
    },
  };
}
