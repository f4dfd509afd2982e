import type { Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { greetingChange, greetingLine, greetingPath } from "./greeting-change.ts";

/** A look-up, a command, a file change and a subagent. Nothing is really run or written. */
export const tool: Scenario = async (stage) => {
  await stage.say("I look around, run the tests, change a file and ask a subagent.");
  await lookUp(stage);
  await runCommand(stage);
  await changeFile(stage);
  await askSubagent(stage);
  await stage.say("All four are done.");
  return undefined;
};

async function lookUp(stage: Stage): Promise<void> {
  const call = stage.startTool("Search", { pattern: "greeting", path: "src" });
  await stage.breathe();
  stage.finishTool(call, { output: `${greetingPath}:1: ${greetingLine}` });
}

async function runCommand(stage: Stage): Promise<void> {
  const call = stage.startTool("Bash", { command: "npm test" });
  await stage.breathe();
  stage.finishTool(call, { output: "3 passed, 0 failed\n" });
}

async function changeFile(stage: Stage): Promise<void> {
  const { name, input, outcome } = greetingChange;
  const call = stage.startTool(name, input);
  await stage.breathe();
  stage.finishTool(call, outcome);
}

async function askSubagent(stage: Stage): Promise<void> {
  const call = stage.startTool("Task", { prompt: "Is the greeting polite?" });
  await stage.say("It is polite enough.", { parentId: call.item.id });
  stage.finishTool(call, { output: "It is polite enough." });
}
