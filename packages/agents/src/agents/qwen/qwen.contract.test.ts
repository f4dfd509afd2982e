import { test } from "vitest";
import { describeAgent } from "../../contract/describe-agent.ts";
import { scenario } from "./__fixtures__/contract-scenario.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";

if (programProblem === undefined) describeAgent("qwen", () => adapter, scenario);
else test.skip(`agent qwen (skipped: ${programProblem})`, () => {});
