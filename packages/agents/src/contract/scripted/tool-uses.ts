import type { Provocation } from "../agent-scenario.ts";
import { mcpServerConfig, pixel, skillDescription, skillsConfig } from "../contract-fixtures.ts";
import type { ModelStep } from "../model-script.ts";
import type { ScriptedTools } from "./scripted-tools.ts";
import { stepsOf, unasked, using } from "./using.ts";

const HUGE_OUTPUT_BYTES = 20_000_000;
/** 40,000 lines of 50 bytes between a first and a last one, which are told apart from the command by what it computes. */
const longCommand = [
  "echo the very $((0 + 1))st line",
  "seq -f 'line %08.0f of an output that is far too long.' 40000",
  "echo the very $((40000 + 2))nd line",
].join("; ");

export function toolUses(tools: ScriptedTools) {
  const shell = (message: string, command: string, results: string): Provocation =>
    using(tools.shell, (run) => ({
      message,
      session: unasked,
      script: [...run(command), { text: "Ran it." }],
      results,
    }));

  return {
    parallelTools: using(tools.shell, (run) => ({
      message: "Say two things at once.",
      session: unasked,
      script: [atOnce([...run("echo the left $((40 + 2))"), ...run("echo the right $((41 + 2))")]), { text: "Said." }],
      results: ["the left 42", "the right 43"],
    })),
    command: shell("Say hello in the shell.", "echo hello from the $((1 + 1))nd shell", "hello from the 2nd shell"),
    failedCommand: shell("Fail in the shell.", "echo it broke >&2; exit 3", "it broke"),
    killedCommand: shell("Die in the shell.", "echo just before; kill -9 $$", "just before"),
    longOutput: shell("Print much.", longCommand, "of an output that is far too long"),
    hugeOutput: shell("Print very much.", `head -c ${HUGE_OUTPUT_BYTES} /dev/zero | tr '\\0' x; echo`, "xxxx"),
    toolCall: using(tools.readFile, (read) => ({
      message: "Read the poem.",
      files: { "poem.txt": "The fog comes on little cat feet.\n" },
      session: unasked,
      script: [...read("poem.txt"), { text: "A fine poem." }],
      results: "little cat feet",
    })),
    ...fileChanges(tools),
    image: using(tools.showImage, (show) => ({
      message: "Show the picture.",
      files: { "picture.png": pixel },
      session: unasked,
      script: [...show("picture.png"), { text: "A dot." }],
    })),
    subagent: using(tools.startSubagent, (start) => ({
      message: "Ask somebody else.",
      session: unasked,
      script: [...start("Count the lighthouses."), { text: "They counted." }],
      asides: [
        {
          name: "subagent",
          when: { prompt: "Count the lighthouses." },
          steps: [...stepsOf(tools.shell, "echo three lighthouses"), { text: "Three." }],
        },
      ],
    })),
    mcpTool: using(tools.callMcpTool, (call) => ({
      message: "Shout it.",
      session: { ...unasked, mcp: { contract: mcpServerConfig } },
      script: [...call("contract", "shout", { text: "ahoy" }), { text: "Shouted." }],
      results: "AHOY",
    })),
    mcpFailure: using(tools.callMcpTool, () => ({
      message: "Whisper it.",
      session: { ...unasked, mcp: { broken: { type: "local", command: "/nowhere/no-such-server" } } },
      script: [{ text: "Nobody whispers." }],
    })),
    skill: {
      message: "What are you good at?",
      session: { skills: skillsConfig },
      script: [{ text: "Lighthouses." }],
      modelSees: skillDescription,
    },
  } satisfies Record<string, Provocation>;
}

function atOnce(steps: readonly ModelStep[]): ModelStep {
  return { toolCalls: steps.flatMap(({ toolCalls = [] }) => toolCalls) };
}

function fileChanges({ writeFile, editFile }: ScriptedTools) {
  return {
    fileWrite: using(writeFile, (write) => ({
      message: "Write a note.",
      session: unasked,
      script: [...write("note.txt", "first line\nsecond line\n"), { text: "Written." }],
      leaves: { "note.txt": "first line\nsecond line\n" },
    })),
    fileEdit: using(editFile, (edit) => ({
      message: "Correct the letter.",
      files: { "letter.txt": "Dear Ada,\nyou are rong.\nYours\n" },
      session: unasked,
      script: [...edit("letter.txt", "you are rong.", "you are right."), { text: "Corrected." }],
      leaves: { "letter.txt": "Dear Ada,\nyou are right.\nYours\n" },
    })),
  };
}
