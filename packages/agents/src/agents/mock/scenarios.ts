import type { PromptInput } from "../../agent.ts";
import type { Scenario } from "./scenario.ts";
import { echo } from "./scenarios/echo.ts";
import { edit } from "./scenarios/edit.ts";
import { end } from "./scenarios/end.ts";
import { fail } from "./scenarios/fail.ts";
import { error, unparsed } from "./scenarios/failures.ts";
import { burst, slow, tell } from "./scenarios/flow.ts";
import { image } from "./scenarios/image.ts";
import { markdown } from "./scenarios/markdown.ts";
import { parallel } from "./scenarios/parallel.ts";
import { permission, run } from "./scenarios/permission.ts";
import { plan } from "./scenarios/plan.ts";
import { question } from "./scenarios/question.ts";
import { recall } from "./scenarios/recall.ts";
import { status, unknown } from "./scenarios/status.ts";
import { tool } from "./scenarios/tool.ts";
import type { Stage } from "./stage.ts";

interface Entry {
  readonly usage: string;
  readonly shows: string;
  /** The whole message, without the space around it. */
  readonly matches: RegExp;
  readonly play: Scenario;
}

/** Everything the mock agent understands, in the order of `help` and `demo`. What none of them matches is echoed. */
export const scenarios: readonly Entry[] = [
  word("help", "this list", help),
  word("markdown", "a thought and a message with all of Markdown", markdown),
  word("tool", "a look-up, a command, a file change and a subagent", tool),
  word("status", "status updates", status),
  word("image", "a picture on disk", image),
  word("unknown", "an item of an unknown kind", unknown),
  word("permission", "a command that asks for permission and waits", permission),
  {
    usage: "run X",
    shows: "the same with the command X, which is not run",
    matches: /^run\s.+$/is,
    play: run,
  },
  word("question", "a request with two questions that waits", question),
  word("error", "an error that ends the turn", error),
  word("unparsed", "a native line that could not be read", unparsed),
  word("end", "the end of the session", end),
  { usage: "echo X", shows: "X", matches: /^echo\s.+$/is, play: echo },
  word("demo", "all of the above except end", demo),
  word("parallel", "three tools at once, the last one answers first", parallel),
  word("fail", "a command that fails", fail),
  word("edit", "a file change that asks for permission and waits", edit),
  word("plan", "a plan that waits to be approved, which ends plan mode", plan),
  {
    usage: "what did I say before?",
    shows: "the messages before this one",
    matches: /^what did i say before\?$/i,
    play: recall,
  },
  {
    usage: "burst N SIZE",
    shows: "N deltas of SIZE bytes, as fast as they are taken",
    matches: /^burst\s+\d+\s+[1-9]\d*$/i,
    play: burst,
  },
  {
    usage: "slow N MS",
    shows: "N deltas with MS milliseconds between them",
    matches: /^slow\s+\d+\s+\d+$/i,
    play: slow,
  },
  { usage: "tell X", shows: "a long story, sentence by sentence", matches: /^tell\s.+$/is, play: tell },
];

export function chooseScenario(message: string): Scenario {
  const words = message.trim();
  return scenarios.find(({ matches }) => matches.test(words))?.play ?? echo;
}

function word(usage: string, shows: string, play: Scenario): Entry {
  return { usage, shows, matches: new RegExp(`^${usage}$`, "i"), play };
}

async function help(stage: Stage): Promise<undefined> {
  const lines = scenarios.map(({ usage, shows }) => `- \`${usage}\`: ${shows}`);
  await stage.say(`I am the mock agent. Send one of these words; anything else is echoed.\n\n${lines.join("\n")}\n`);
}

const notInDemo = new Set(["run X", "end"]);

/** The error is shown as an event only: the demo goes on after it and completes. */
async function demo(stage: Stage, input: PromptInput): Promise<undefined> {
  for (const { usage, play } of scenarios) {
    if (play === demo) return;
    if (!notInDemo.has(usage)) await play(stage, { ...input, message: usage });
  }
}
