import type { Command } from "commander";
import { CommandInput } from "../commands/command-input.ts";
import { addFlag, flagValues } from "../commands/commander-flag.ts";
import { createFlags } from "../commands/create-session-request.ts";
import { examplesHelp } from "../commands/examples-help.ts";
import type { Finish } from "../commands/finish.ts";
import type { Flag } from "../flag.ts";
import type { ConversationFlags } from "./session-options.ts";

/** Flags of a new conversation: those of `sessions create`, but the agent may be left out and the directory is here. */
const conversationFlags: readonly Flag[] = createFlags.map((flag) => {
  if (flag.name === "agent") return { ...flag, required: false };
  if (flag.name === "directory") return { ...flag, name: "dir", description: "where the agent works (default: here)" };
  return flag;
});

const runFlags: readonly Flag[] = [
  ...conversationFlags,
  { name: "session", short: "s", value: "session-id", description: "go on with this session, or create it" },
  { name: "yes", short: "y", description: "allow everything that the agent asks for" },
  { name: "no-diff", description: "do not show what changed" },
];

export function addRunCommand(program: Command, finish: Finish): void {
  const command = program
    .command("run")
    .description("Give an agent one task, watch it work and answer what it asks; starts a daemon if none runs")
    .argument("[prompt]", "what to do; `-` reads it from stdin");
  for (const flag of runFlags) addFlag(command, flag);
  const examples = [
    'run "fix the failing test" --agent claude',
    "run - --agent codex --yes < task.md",
    'run "and now the docs" --session run-1a2b3c4d',
    'run "review this branch" --agent claude --policy read-only.json --json | jq .type',
  ];
  command.addHelpText("after", `${examplesHelp(examples)}\n\n${exitCodeHelp}`);
  command.action(async (prompt: string | undefined) => {
    const input = new CommandInput(new Map(), flagValues(command, runFlags));
    const { run } = await import("./run.ts");
    finish(await run(prompt, input, command.optsWithGlobals<ConversationFlags>()));
  });
}

const exitCodeHelp = `Exit code: 0 done, 1 the turn failed, 2 wrong usage, 3 done but something was refused because nobody could be asked,
130 stopped. In a pipe only the agent's answer goes to stdout; --json prints every event.`;

const chatFlags: readonly Flag[] = [
  ...conversationFlags,
  { name: "continue", short: "c", description: "go on with the latest conversation in this directory" },
];

export function addChatCommand(program: Command, finish: Finish): void {
  const command = program
    .command("chat")
    .description("Talk with an agent in the terminal; conversations can be resumed. Starts a daemon if none runs")
    .argument("[session-id]", "go on with this session, or create it");
  for (const flag of chatFlags) addFlag(command, flag);
  command.addHelpText("after", examplesHelp(["chat --agent mock", "chat --agent claude --dir ~/project", "chat -c"]));
  command.action(async (sessionId: string | undefined) => {
    const input = new CommandInput(new Map(), flagValues(command, chatFlags));
    const { chat } = await import("./chat.ts");
    finish(await chat(sessionId, input, command.optsWithGlobals<ConversationFlags>()));
  });
}
