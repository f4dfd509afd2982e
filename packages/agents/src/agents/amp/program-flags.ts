import type { AgentHost } from "../../agent.ts";

/** What a binary can be started with, by its own word. */
export interface ProgramFlags {
  /** Long names, e.g. `--stream-json`. */
  readonly names: ReadonlySet<string>;
  /** What `-m` takes. */
  readonly modes: readonly string[];
}

const knownModes = ["low", "medium", "high", "ultra"];

/** One question per file: the answer takes a second. */
const known = new Map<string, Promise<ProgramFlags>>();

/** The flags that `--help` names. New builds come every week, and go their own ways. */
export function programFlags(host: AgentHost, binary: { path: string; version?: string }): Promise<ProgramFlags> {
  const key = `${binary.path} ${binary.version}`;
  const flags = known.get(key) ?? askForHelp(host, binary.path).then(readHelp);
  known.set(key, flags);
  flags.catch(() => known.delete(key));
  return flags;
}

export function readHelp(help: string): ProgramFlags {
  const names = new Set(help.match(/--[a-z][a-z-]+/g) ?? []);
  const [, listed = ""] = /Set the agent mode \(([^)]*?)(?:,? or |\))/.exec(help.replaceAll(/\s+/g, " ")) ?? [];
  const modes = listed.split(/,\s*/).filter((word) => /^[a-z][\w-]*$/.test(word));
  return { names, modes: modes.length > 0 ? modes : knownModes };
}

async function askForHelp(host: AgentHost, path: string): Promise<string> {
  const lines: string[] = [];
  const asked = host.spawn({
    command: path,
    args: ["--help"],
    cwd: host.dataDir,
    env: { ...host.env },
    label: "amp asked for its flags",
    onLines: (read) => lines.push(...read),
  });
  asked.endInput();
  await asked.exited;
  await asked.stop();
  return lines.join("\n");
}
