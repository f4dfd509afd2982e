import type { AgentMode } from "@sandbox-agent-ts/protocol";

const own: readonly AgentMode[] = [
  { id: "build", name: "Build", description: "Works on the task, in the mode that Amp takes by itself" },
  {
    id: "plan",
    name: "Plan",
    description: "Looks around and proposes; files stay as they are, and commands are asked for",
  },
];

/** Ours, which every agent has, and Amp's, each with its model, prompt and tools. */
export function ampModes(native: readonly string[]): AgentMode[] {
  const named = native.map((id) => ({
    id,
    name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
    description: `Works on the task in Amp's mode ${id}`,
  }));
  return [...own, ...named];
}
