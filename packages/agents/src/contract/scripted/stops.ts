import type { Provocation } from "../agent-scenario.ts";
import { questions } from "./people.ts";
import type { ScriptedTools } from "./scripted-tools.ts";
import { slowNumbers } from "./slow-text.ts";
import { unasked, using } from "./using.ts";

/** What is interrupted or closed before it ends by itself. */
export function stops({ shell, shellThatAsks, ask }: ScriptedTools) {
  const sleep = (message: string): Provocation =>
    using(shell, (run) => ({
      message,
      session: unasked,
      script: [...run("echo begun; sleep 300"), { text: "At last." }],
      runs: "sleep 300",
    }));

  return {
    interruptText: { message: "Count slowly.", script: [slowNumbers] },
    interruptTool: sleep("Sleep for long."),
    interruptPermission: using(shellThatAsks, (run) => ({
      message: "Ask me, and I do not answer.",
      script: [...run("touch unanswered"), { text: "Thank you." }],
      creates: "unanswered",
    })),
    interruptQuestion: using(ask, (call) => ({
      message: "Question me.",
      script: [...call(questions), { text: "Thanks." }],
    })),
    interruptHang: { message: "Say nothing.", script: [{ text: ["Well", " …"], hang: 1 }] },
    closeText: { message: "Count in vain.", script: [slowNumbers] },
    killedTool: sleep("Sleep until you die."),
    closeTool: sleep("Sleep until the end."),
  } satisfies Record<string, Provocation>;
}
