import { describeSecondWay } from "../../acp/__fixtures__/describe-second-way.ts";
import { adapter } from "./index.ts";

await describeSecondWay(adapter, {
  asks: (command) => ({ toolCalls: [{ name: "Bash", input: { command, description: "do it" } }] }),
  prepare: async ({ anthropicUrl }) => ({
    ANTHROPIC_BASE_URL: anthropicUrl,
    ANTHROPIC_API_KEY: "scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
});
