import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AgentProgram, loadAgents, requireProgram, signedInProgram, signInAdvice } from "@sandbox-agent-ts/agents";
import type { Command } from "commander";
import { exitCode, signalExitCode } from "../exit-code.ts";
import { onInterrupt } from "../interrupts.ts";
import { agentWithProgram, programPlace } from "../programs/agent-programs.ts";
import { UsageError } from "../usage-error.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

interface Flags {
  readonly dataDir?: string;
}

/** `exec` and `login` run an agent's own program as the daemon would; they print nothing on stdout themselves. */
export function addExecCommands(program: Command, finish: Finish): void {
  const exec = ownProgram(program, "exec", "Run an agent's own program, with the home and environment the daemon uses");
  exec.addHelpText("after", examplesHelp(["exec claude --version", "exec codex login status"]));
  exec.action(async (id: string, args: string[]) => {
    const { adapter, program: described } = await agentWithProgram(id);
    finish(await run(described, args, adapter.programEnv, exec.optsWithGlobals<Flags>()));
  });
  const login = ownProgram(
    program,
    "login",
    "Sign in to an agent with its own program; more arguments are handed to it",
  );
  login.addHelpText("after", examplesHelp(["login claude", "login codex --device-auth"]));
  login.action(async (id: string, args: string[]) => {
    const { adapter, program: described } = await agentWithProgram(id);
    const owner = signedInProgram(described);
    if (!owner?.signIn.login) throw new UsageError(`${id} has no command to sign in with. ${signInAdvice(described)}`);
    const { note, args: loginArgs } = owner.signIn.login;
    if (note !== undefined) process.stderr.write(`${note}\n`);
    const env = (await loadAgents()).find((each) => each.id === owner.name)?.programEnv ?? adapter.programEnv;
    finish(await run(owner, [...loginArgs, ...args], env, login.optsWithGlobals<Flags>()));
  });
}

function ownProgram(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument("<agent>", "id of the agent")
    .argument("[args...]", "arguments of its program");
}

const forwarded = ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;
/** Not for agents, just as in the daemon. */
const ownVariables = ["SANDBOX_AGENT_TOKEN", "SANDBOX_AGENT_ACP_AGENTS", "SANDBOX_AGENT_RESTART_REASON"];

/** Runs it on this terminal to its end; answers its exit code. */
async function run(
  described: AgentProgram,
  args: readonly string[],
  programEnv: Readonly<Record<string, string>> = {},
  { dataDir }: Flags,
): Promise<number> {
  const { path } = await requireProgram(described, programPlace(dataDir, process.env));
  const env: NodeJS.ProcessEnv = { ...programEnv, ...process.env };
  for (const name of ownVariables) delete env[name];
  const child = spawn(path, args, { env, stdio: "inherit" });
  // A terminal sends Ctrl-C to the program as well: what becomes of it is the program's to decide.
  const release = onInterrupt(() => {
    if (!process.stdin.isTTY) child.kill("SIGINT");
  });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of forwarded) process.on(signal, forward);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    return signal === null ? (code ?? exitCode.failure) : signalExitCode(signal);
  } finally {
    release();
    for (const signal of forwarded) process.off(signal, forward);
  }
}
