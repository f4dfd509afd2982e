import type { Scenario } from "../scenario.ts";

const command = "npm run lint";
const exit_code = 2;

/** A command that fails, and an agent that goes on. */
export const fail: Scenario = async (stage) => {
  const call = stage.startTool("Bash", { command });
  await stage.breathe();
  stage.finishTool(call, {
    output: "src/greeting.ts:1: the greeting ends without a full stop\n",
    failed: true,
    parts: [{ type: "json", json: { command, exit_code } }],
  });
  await stage.say(`The command failed with exit code ${exit_code}, and I go on.`);
  return undefined;
};
