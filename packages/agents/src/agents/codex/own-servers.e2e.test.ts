/** Feared: with a policy, a tool of a server in the user's own config that calls itself read-only is not asked about. */
import { expect, onTestFinished, test } from "vitest";
import { mcpServerConfig } from "../../contract/contract-fixtures.ts";
import { when } from "../../contract/scripted-world.ts";
import { keyConfig, makeCodexWorld } from "./__fixtures__/open-codex.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";

const conversations = [
  when(
    "Shout.",
    { toolCalls: [{ name: "shout", namespace: "mcp__own", input: { text: "ahoy" } }] },
    { text: "Well.", repeat: "forever" },
  ),
];

const { command, args = [] } = mcpServerConfig as { command: string; args?: readonly string[] };
const own = `\n[mcp_servers.own]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;

test.skipIf(programProblem)(
  `a server of the user's own config asks about every tool${programProblem ? ` (skipped: ${programProblem})` : ""}`,
  { timeout: 120_000 },
  async () => {
    const config = (url: string) => `${keyConfig(url)}${own}`;
    const world = await makeCodexWorld({ conversations, config, env: () => ({ SCRIPTED_KEY: "key" }) });
    onTestFinished(async () => {
      await adapter.close?.();
      await world.dispose();
    });
    const harness = await world.open({ asksEverything: true });
    onTestFinished(() => harness.dispose());
    const turn = harness.prompt("Shout.");
    const { data } = await harness.next("permission.requested");
    expect(data).toMatchObject({ kind: "mcp", mcp_server: "own" });
    await harness.answerPermission(data.permission_id, "reject");
    expect((await turn).outcome.reason).toBe("completed");
  },
);
