/** Custom agents, as a person configures them. What they then do is the daemon's business and tested there. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { CliHome } from "../__fixtures__/cli-home.ts";

let home: CliHome;

beforeEach(async () => {
  home = await CliHome.create();
});

it("a daemon in the background has those of its flags, of its file and of the environment", async () => {
  writeFileSync(join(home.path, "agents.json"), JSON.stringify([{ id: "of-file", command: "no-such-command" }]));
  home.env.SANDBOX_AGENT_ACP_AGENTS = JSON.stringify([{ id: "of-environment", name: "Of Env", command: "sh" }]);
  const flags = ["--acp-agent", "of-flag=sh -c 'exit 0'", "--acp-agents-file", "agents.json"];
  const { url } = await home.json<{ url: string }>("daemon", "start", "--port", "0", "--json", ...flags);
  home.env.SANDBOX_AGENT_ENDPOINT = url;
  const { agents } = await home.json<{ agents: { id: string; name: string; installed: boolean }[] }>(
    "agents",
    "list",
    "--json",
  );
  expect(agents.filter(({ id }) => id.startsWith("of-"))).toMatchObject([
    { id: "of-file", name: "of-file", installed: false },
    { id: "of-environment", name: "Of Env", installed: true },
    { id: "of-flag", name: "of-flag", installed: true },
  ]);
});

it("a server with one that cannot be says so and ends", async () => {
  const { code, stderr } = await home.run(["server", "--port", "0", "--acp-agent", "mock=sh"]);
  expect(code).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({ detail: expect.stringContaining('"mock" is an agent that is built in') });
});
