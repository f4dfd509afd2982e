import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import type { AgentLogger } from "../../agent.ts";
import type { AgentProcess, SpawnOptions } from "../agent-process.ts";
import type { Supervisor } from "../supervisor.ts";

/** By path and not by import: the package of the fake agent stands above this one. */
export const fakeAgentPath = fileURLToPath(new URL("../../../../testing/fake-agent/fake-agent.mjs", import.meta.url));

export const silentLog: AgentLogger = { debug() {}, info() {}, warn() {}, error() {} };

export interface FakeAgent {
  readonly process: AgentProcess;
  readonly lines: string[];
  prompt(text: string): Promise<void>;
  /** The first line, come or to come, that holds the text. */
  lineWith(text: string): Promise<string>;
  /** Prompt, wait for the end of the turn and give the text it said. */
  ask(text: string): Promise<string>;
}

export function startFakeAgent(supervisor: Supervisor, options: Partial<SpawnOptions> = {}): FakeAgent {
  const arrivals = new EventEmitter();
  const lines: string[] = [];
  const process = supervisor.spawn({
    command: globalThis.process.execPath,
    args: [fakeAgentPath],
    cwd: tmpdir(),
    env: { PATH: globalThis.process.env.PATH ?? "" },
    label: "fake agent",
    onLines(batch) {
      for (const line of batch) lines.push(line);
      arrivals.emit("lines");
    },
    ...options,
  });

  async function lineWith(text: string, after = 0): Promise<string> {
    for (;;) {
      const found = lines.slice(after).find((line) => line.includes(text));
      if (found !== undefined) return found;
      await once(arrivals, "lines");
    }
  }

  const prompt = (text: string) => process.writeLine(JSON.stringify({ type: "prompt", text }));

  async function ask(text: string): Promise<string> {
    const from = lines.length;
    await prompt(text);
    await lineWith('"type":"done"', from);
    const deltas = lines.slice(from).filter((line) => line.startsWith('{"type":"text_delta"'));
    return deltas.map((line) => (JSON.parse(line) as { text: string }).text).join("");
  }

  return { process, lines, prompt, lineWith, ask };
}

/** A zombie that nobody reaps is as dead as one that was reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !readStatus(pid).includes("State:\tZ");
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
