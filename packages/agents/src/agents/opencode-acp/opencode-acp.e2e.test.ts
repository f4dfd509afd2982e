import { describeSecondWay } from "../../acp/__fixtures__/describe-second-way.ts";
import { environment } from "../opencode/__fixtures__/contract-scenario.ts";
import { adapter } from "./index.ts";

await describeSecondWay(adapter, {
  asks: (command) => ({ toolCalls: [{ name: "bash", input: { command, description: "do it" } }] }),
  prepare: async ({ openaiUrl }) => environment(openaiUrl),
});
