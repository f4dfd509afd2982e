import type { Provocation, ProvokingMessage } from "../agent-scenario.ts";
import type { ScriptedQuestion, ScriptedTools } from "./scripted-tools.ts";
import { followed, stepsOf, unasked, using } from "./using.ts";

const planning = { agentMode: "plan", permissionMode: "plan" } as const;

export const questions: readonly ScriptedQuestion[] = [
  { header: "Colour", prompt: "Which colour should it have?", options: ["Blue", "Red"], multiSelect: false },
  { header: "Places", prompt: "Where should it appear?", options: ["Header", "Footer"], multiSelect: true },
];

/** What the agent asks a person for. */
export function people({ shellThatAsks, writeFile, ask, proposePlan, startSubagent }: ScriptedTools) {
  const touch = (message: string, creates: string, more: Partial<ProvokingMessage> = {}): Provocation =>
    using(shellThatAsks, (shell) => ({
      message,
      script: [...shell(`touch ${creates}`), { text: "So be it." }],
      creates,
      ...more,
    }));
  const asking = (message: string): Provocation =>
    using(ask, (call) => ({
      message,
      script: [...call(questions), { text: "As you wish." }],
      asks: "Where should it appear?",
      replies: "As you wish.",
    }));
  const plan = (message: string): Provocation =>
    using(proposePlan, (propose) => ({
      message,
      session: planning,
      script: [...propose("1. Build the lighthouse of Alexandria."), { text: "Understood." }],
      asks: "lighthouse of Alexandria",
      replies: "Understood.",
    }));

  return {
    permissionOnce: touch("Make a file, if I may.", "once"),
    permissionAlways: touch("Make a file, as always.", "always", other(touch("Make one more file.", "more"))),
    permissionReject: touch("Make a file, if you dare.", "rejected"),
    subagentAsks: using(startSubagent, (start) => ({
      message: "Let somebody else touch it.",
      script: [...start("Touch the buoy."), { text: "They were asked." }],
      asides: [
        {
          name: "subagent that asks",
          when: { prompt: "Touch the buoy." },
          steps: [...stepsOf(shellThatAsks, "touch buoy.txt"), { text: "I asked." }],
        },
      ],
      creates: "buoy.txt",
    })),
    acceptEdits: using(writeFile, (write) => ({
      message: "Edit, I trust you.",
      session: { permissionMode: "acceptEdits" },
      script: [...write("trusted.txt", "a line\n"), { text: "Edited." }],
      creates: "trusted.txt",
    })),
    bypass: touch("Make a file, whatever I say.", "bypassed", { session: unasked }),
    questionAnswer: asking("Ask what I like."),
    questionReject: asking("Ask what I dislike."),
    planReadOnly: using(writeFile, (write) => ({
      message: "Build without a plan.",
      session: planning,
      script: [...write("unplanned.txt", "too early\n"), { text: "Not yet, then." }],
      creates: "unplanned.txt",
    })),
    planApprove: plan("Plan a lighthouse."),
    planReject: plan("Plan another lighthouse."),
    planFeedback: plan("Plan a lighthouse of marble."),
    alwaysAfterRestart: touch("Make a file, today and tomorrow.", "tomorrow"),
    permissionModeChange: touch("Make a file under other rules.", "ruled"),
    planAgain: followed(plan("Plan a bridge."), plan("Plan a wider bridge.")),
    planAfterRestart: followed(plan("Plan a harbour."), touch("Build what was planned.", "built")),
  } satisfies Record<string, Provocation>;
}

function other(provocation: Provocation): Partial<ProvokingMessage> {
  return "skip" in provocation ? {} : { other: provocation };
}
