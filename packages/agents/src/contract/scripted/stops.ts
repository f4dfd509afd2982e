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

  const forks = (seconds: number): string =>
    [1, 2, 3].map((at) => `(${at === 2 ? "setsid " : ""}nohup sleep ${seconds}${at} >/dev/null 2>&1 &)`).join("; ");

  return {
    interruptText: { message: "Count slowly.", script: [slowNumbers] },
    interruptTool: sleep("Sleep for long."),
    interruptForks: using(shell, (run) => ({
      message: "Start much and sleep.",
      session: unasked,
      script: [...run(`${forks(31)}; echo begun; sleep 310`), { text: "At last." }],
      runs: "sleep 31",
    })),
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
    closeForks: using(shell, (run) => ({
      message: "Start much and go on.",
      session: unasked,
      script: [...run(`${forks(32)}; echo begun`), { text: "Started." }],
      runs: "sleep 32",
    })),
  } satisfies Record<string, Provocation>;
}
