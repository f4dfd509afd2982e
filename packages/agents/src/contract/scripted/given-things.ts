import type { Provocation } from "../agent-scenario.ts";
import { pixel } from "../contract-fixtures.ts";
import type { ScriptedTools } from "./scripted-tools.ts";
import { unasked, using } from "./using.ts";

/** What a session is given, and what goes with a message. */
export function givenThings({ shell }: ScriptedTools, otherModel: string) {
  return {
    environment: using(shell, (run) => ({
      message: "Look around.",
      session: { ...unasked, env: { LIGHTHOUSE: "Pharos" } },
      script: [...run("echo the light of $LIGHTHOUSE"), { text: "I see." }],
      results: "the light of Pharos",
    })),
    systemPrompt: {
      message: "Who are you?",
      session: { systemPrompt: "You are the keeper of the Pharos." },
      script: [{ text: "The keeper." }],
      modelSees: "keeper of the Pharos",
    },
    model: {
      message: "Which model are you?",
      session: { model: otherModel },
      script: [{ text: "The one you named." }],
      modelSees: otherModel,
    },
    modelChange: {
      message: "Remember the model you are.",
      script: [{ text: "The first one." }],
      other: {
        message: "Which model are you now?",
        session: { model: otherModel },
        script: [{ text: "The next one." }],
      },
    },
    imageAttachment: {
      message: "What is in this picture?",
      files: { "dot.png": pixel },
      attach: [{ file: "dot.png", mime: "image/png" }],
      script: [{ text: "A dot, I see." }],
      replies: "A dot, I see.",
    },
    imageBesideFile: {
      message: "Compare these two.",
      files: { "beside.png": pixel, "beside.txt": "The keeper wakes at dusk.\n" },
      attach: [
        { file: "beside.png", mime: "image/png" },
        { file: "beside.txt", mime: "text/plain" },
      ],
      script: [{ text: "Compared." }],
      replies: "Compared.",
    },
    oddFileName: {
      message: "What is in the cave?",
      files: { "höhle eins 100%.txt": "The cave is wet.\n" },
      attach: [{ file: "höhle eins 100%.txt", mime: "text/plain" }],
      script: [{ text: "Water." }],
      replies: "Water.",
    },
    fileAttachment: {
      message: "What is in this file?",
      files: { "attached.txt": "The keeper sleeps at noon.\n" },
      attach: [{ file: "attached.txt", mime: "text/plain" }],
      script: [{ text: "A secret." }],
      modelSees: "attached.txt",
    },
  } satisfies Record<string, Provocation>;
}
