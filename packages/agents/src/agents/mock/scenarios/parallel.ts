import type { Scenario } from "../scenario.ts";

const lookUps = ["cats", "dogs", "birds"];

/** Three look-ups at once; the last that was started is the first to answer. */
export const parallel: Scenario = async (stage) => {
  const started = lookUps.map((pattern) => ({ pattern, call: stage.startTool("Search", { pattern, path: "src" }) }));
  for (const { pattern, call } of started.toReversed()) {
    await stage.breathe();
    stage.finishTool(call, { output: `No ${pattern} in src` });
  }
  await stage.say("All three have answered, the last one first.");
  return undefined;
};
