import type { Command } from "commander";
import { examplesHelp } from "../commands/examples-help.ts";
import type { Finish } from "../commands/finish.ts";
import { dataDirectory } from "../data-dir.ts";
import { exitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import type { Tone } from "../output/terminal.ts";
import type { Check } from "./check.ts";

interface DoctorFlags {
  readonly dataDir?: string;
  readonly json?: true;
  readonly offline?: true;
}

export function addDoctorCommand(program: Command, finish: Finish): void {
  const command = program
    .command("doctor")
    .description("Look whether a daemon and its agents can work here, and say what to do. Exit code 1 if not")
    .option("--offline", "do not look at the network")
    .addHelpText("after", examplesHelp(["doctor", "doctor --offline --json"]));
  command.action(async () => {
    const { dataDir: given, json, offline = false } = command.optsWithGlobals<DoctorFlags>();
    const out = new Output(process.stdout, { json });
    const checks = await runChecks(dataDirectory(given, process.env), offline);
    if (out.audience === "json") await out.json({ checks });
    else for (const check of checks) await out.write(textOf(check, out));
    finish(checks.some(({ state }) => state === "problem") ? exitCode.failure : exitCode.ok);
  });
}

async function runChecks(dataDir: string, offline: boolean): Promise<Check[]> {
  const [{ machineChecks }, { registryCheck }, { agentChecks }] = await Promise.all([
    import("./machine-checks.ts"),
    import("./network-checks.ts"),
    import("./agent-checks.ts"),
  ]);
  const machine = await machineChecks(dataDir);
  const network = offline ? [] : [await registryCheck(process.env)];
  return [...machine, ...network, ...(await agentChecks({ dataDir, env: process.env, offline }))];
}

const marks: Readonly<Record<Check["state"], readonly [mark: string, tone: Tone]>> = {
  ok: ["✓", "green"],
  warning: ["!", "yellow"],
  problem: ["✗", "red"],
  unchecked: ["-", "dim"],
};

const INDENT = 19;

function textOf({ name, state, found, advice }: Check, out: Output): string {
  const [mark, tone] = marks[state];
  const line = `${out.paint(tone, mark)} ${name.padEnd(INDENT - 3)} ${out.wrapped(found, INDENT)}\n`;
  if (advice === undefined) return line;
  return `${line}${" ".repeat(INDENT)}${out.paint("dim", out.wrapped(advice, INDENT))}\n`;
}
