import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeSecondWay } from "../../acp/__fixtures__/describe-second-way.ts";
import { adapter } from "./index.ts";

const config = (url: string) => `model = "gpt-5.5"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
`;

await describeSecondWay(adapter, {
  asks: (cmd) => ({
    toolCalls: [
      { name: "exec_command", input: { cmd, sandbox_permissions: "require_escalated", justification: "May I?" } },
    ],
  }),
  async prepare({ openaiUrl }, home) {
    await mkdir(join(home, ".codex"));
    await writeFile(join(home, ".codex", "config.toml"), config(openaiUrl));
    return { SCRIPTED_KEY: "scripted" };
  },
});
