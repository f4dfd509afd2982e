import { join } from "node:path";
import type { Command } from "commander";
import { exitCode } from "../exit-code.ts";
import { byteText } from "../output/number-text.ts";
import { Output } from "../output/output.ts";
import { type AgentWithProgram, agentsWithPrograms, programPlace } from "../programs/agent-programs.ts";
import { UsageError } from "../usage-error.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

interface Flags {
  readonly force?: true;
  readonly dataDir?: string;
  readonly json?: true;
}

export function addUninstallAgentCommand(program: Command, finish: Finish): void {
  const command = program
    .command("uninstall-agent")
    .description("Remove the programs of agents from the data directory; their sessions and sign-ins stay")
    .argument("<agent...>", "ids of agents")
    .option("-f, --force", "even while a process uses it; its session may fail")
    .addHelpText("after", examplesHelp(["uninstall-agent claude", "uninstall-agent codex gemini --force"]));
  command.action(async (ids: string[]) => {
    const { force = false, dataDir, json } = command.optsWithGlobals<Flags>();
    const out = new Output(process.stdout, { json });
    const { installRoot } = programPlace(dataDir, process.env);
    const agents = await agentsWithPrograms(ids);
    if (!force) for (const agent of agents) await refuseIfUsed(agent, installRoot);
    const { uninstallProgram } = await import("@sandbox-agent-ts/agents/install");
    const all = await agentsWithPrograms("all");
    const removed = [];
    for (const { id: agent, program: described } of agents) {
      const { name } = described;
      const result = await uninstallProgram(name, { installRoot });
      const alsoUsedBy = all.filter((other) => other.id !== agent && usesProgram(other, name)).map(({ id }) => id);
      removed.push({ agent, program: name, ...result, alsoUsedBy });
    }
    if (out.audience === "json") await out.json({ uninstalled: removed });
    else for (const each of removed) await out.line(sentenceOf(each));
    finish(exitCode.ok);
  });
}

function usesProgram({ program }: AgentWithProgram, name: string): boolean {
  return program.name === name || (program.needs ?? []).some((need) => need.name === name);
}

async function refuseIfUsed({ id, program }: AgentWithProgram, installRoot: string): Promise<void> {
  const { programUsers } = await import("@sandbox-agent-ts/agents/install");
  const users = await programUsers(join(installRoot, program.name));
  if (users.length === 0) return;
  const pids = users.map(({ pid }) => pid).join(", ");
  throw new UsageError(
    `${id} is in use by ${users.length === 1 ? "the process" : "the processes"} ${pids}. ` +
      "End its sessions first (`sandbox-agent sessions terminate <session-id>`), or pass --force.",
  );
}

interface Removed {
  readonly agent: string;
  readonly versions: readonly string[];
  readonly bytes: number;
  readonly freedBytes: number;
  readonly alsoUsedBy: readonly string[];
}

function sentenceOf({ agent, versions, bytes, freedBytes, alsoUsedBy }: Removed): string {
  if (versions.length === 0 && bytes === 0) return `${agent} was not installed.`;
  const kept = bytes - freedBytes;
  const cached =
    kept > 0 ? ` ${byteText(kept)} of it stay in the cache; \`sandbox-agent cache prune\` frees them.` : "";
  const others = alsoUsedBy.length > 0 ? ` ${alsoUsedBy.join(" and ")} used it too.` : "";
  return `${agent} ${versions.join(", ")} is uninstalled, ${byteText(freedBytes)} freed.${cached}${others}`;
}
