import type { Provocation } from "../agent-scenario.ts";
import type { ScriptedTools } from "./scripted-tools.ts";
import { numbers } from "./slow-text.ts";
import { unasked, using } from "./using.ts";

const twenty = numbers.slice(0, 20);

/** Characters of one to four bytes, some of which belong together although they come in pieces. */
const scripts = ["né", "€", "😀", "👩", "\u200d", "👩", "\u200d", "👧", "e", "\u0301", "한", "글 ", "\u{10ffff}"];

/** So many that also pipes and sockets cut between the bytes of a character. */
const allScripts = Array.from({ length: 100 }, () => scripts).flat();

export function turns({ noteTodos, shell }: ScriptedTools) {
  return {
    text: {
      message: "Greet the reader.",
      script: [{ text: "Good morning, reader." }],
      replies: "Good morning, reader.",
    },
    deltas: { message: "Count to twenty.", script: [{ text: twenty }], replies: twenty.join("").trim() },
    reasoning: {
      message: "Think first.",
      script: [{ reasoning: "Let me weigh both sides.", text: "Weighed." }],
      thinks: "Let me weigh both sides.",
      replies: "Weighed.",
    },
    memory: { message: "My name is Ada Lovelace.", script: [{ text: "Noted, Ada." }], replies: "Noted, Ada." },
    unicode: { message: "Write all scripts.", script: [{ text: allScripts }], replies: allScripts.join("") },
    usage: {
      message: "How much is this?",
      script: [{ text: "Little.", usage: { input: 1234, output: 56 } }],
      usage: { input: 1234, output: 56 },
    },
    usageOfSeveral: using(shell, (run) => ({
      message: "How much are these two?",
      session: unasked,
      script: [
        ...run("echo one of two").map((step) => ({ ...step, usage: { input: 1000, output: 30 } })),
        { text: "A little more.", usage: { input: 1200, output: 50 } },
      ],
      usage: { input: 2200, output: 80 },
    })),
    status: using(noteTodos, (note) => ({
      message: "Make a list.",
      session: unasked,
      script: [...note(["Measure", "Cut"]), { text: "Listed." }],
    })),
  } satisfies Record<string, Provocation>;
}
