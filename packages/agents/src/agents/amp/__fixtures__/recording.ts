import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("recordings/", import.meta.url);

export const recordings = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.slice(0, -".jsonl".length));

/** What Amp 0.0.1790142911 printed in one turn, with its paths, tools and times made neutral. */
export function readRecording(name: string): string[] {
  const text = readFileSync(new URL(`${name}.jsonl`, folder), "utf8");
  return text.split("\n").filter((line) => line !== "");
}
