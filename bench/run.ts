import { parseArgs } from "node:util";
import { type Figure, meetsGoal, type Result } from "./figure.ts";
import { crowd } from "./figures/crowd.ts";
import { dockerSandboxes } from "./figures/docker-sandboxes.ts";
import { fanOut } from "./figures/fan-out.ts";
import { gemini } from "./figures/gemini.ts";
import { latency } from "./figures/latency.ts";
import { opencode } from "./figures/opencode.ts";
import { pipeline, pipelineDialects } from "./figures/pipeline.ts";
import { claude, codex } from "./figures/real-agents.ts";
import { runtimeEvents, runtimeLongSession, runtimeSessions, warmSandboxes } from "./figures/runtime.ts";
import { sandboxes } from "./figures/sandboxes.ts";
import { sessionMemory, sessionSpeed } from "./figures/sessions.ts";
import { socketFanOut, stalledSockets } from "./figures/sockets.ts";
import { coldStart, executableStart, idleMemory } from "./figures/start.ts";
import { pages, replay } from "./figures/stored-events.ts";
import { workspaces } from "./figures/workspaces.ts";

const figures: readonly Figure[] = [
  pipeline,
  pipelineDialects,
  latency,
  crowd,
  fanOut,
  replay,
  pages,
  coldStart,
  executableStart,
  idleMemory,
  sessionMemory,
  sessionSpeed,
  sandboxes,
  dockerSandboxes,
  warmSandboxes,
  runtimeSessions,
  runtimeEvents,
  runtimeLongSession,
  workspaces,
  socketFanOut,
  stalledSockets,
  claude,
  codex,
  gemini,
  opencode,
];

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    rounds: { type: "string", default: "5" },
    peer: { type: "string" },
  },
});
const settings = { rounds: Number(values.rounds), peer: values.peer?.split(" ") };
const chosen = figures.filter(({ name }) => values.only?.includes(name) ?? true);

const rows: string[][] = [["figure", "work", "ours", "floor", "ratio", "goal", ""]];
for (const figure of chosen) {
  for (const result of await figure.measure(settings)) {
    rows.push(row(figure, result));
    const met = result.goal && { met: meetsGoal(result.ratio, result.goal) };
    console.log(JSON.stringify({ figure: figure.name, ...result, ...met }));
  }
}
console.log(`\n${table(rows)}`);

function row(figure: Figure, result: Result): string[] {
  const value = (amount: number) => `${format(amount)} ${result.unit}`;
  const floor = `${value(result.floor)} (${result.against})`;
  return [figure.name, result.what, value(result.ours), floor, `${result.ratio.toFixed(2)}×`, ...verdict(result)];
}

function verdict({ ratio, goal }: Result): [goal: string, met: string] {
  if (!goal) return ["–", ""];
  const text = "atLeast" in goal ? `≥ ${goal.atLeast}×` : `≤ ${goal.atMost}×`;
  return [text, meetsGoal(ratio, goal) ? "met" : "MISSED"];
}

function format(amount: number): string {
  return amount >= 100 ? Math.round(amount).toLocaleString("en") : amount.toPrecision(3);
}

function table(lines: readonly string[][]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join("  ")).join("\n");
}
