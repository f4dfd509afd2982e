import type { AcpUpdate } from "../dialect.ts";

const marks: Readonly<Record<string, string>> = { completed: "x", in_progress: "~" };

/** A list of things to do: `[x] done`, `[~] at it`, `[ ] to do`. */
export function planText({ entries = [] }: Pick<AcpUpdate, "entries">): string {
  return entries.map(({ content = "", status = "" }) => `[${marks[status] ?? " "}] ${content}`).join("\n");
}
