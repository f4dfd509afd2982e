import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentHarness } from "../../contract/agent-harness.ts";
import { mcpServerConfig } from "../../contract/contract-fixtures.ts";
import { rejectEverything } from "../../contract/person.ts";
import { when } from "../../contract/scripted-world.ts";
import { partsOf, toolOutputs } from "../../contract/stream-readers.ts";
import { type GeminiWorld, makeGeminiWorld } from "./__fixtures__/open-gemini.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { geminiDirectory } from "./home/gemini-directory.ts";

const INSTALL_TIMEOUT_MS = 600_000;
/** Several starts of a real program, on a busy machine. */
const TEST_TIMEOUT_MS = 120_000;

const shell = (command: string) => ({
  toolCalls: [{ name: "run_shell_command", input: { command, description: "Run it." } }],
});
const granting = { tools: { allowed: ["run_shell_command"] } };
const files = { ".gemini/settings.json": JSON.stringify(granting), ".gemini/.env": "PLANTED=yes\n" };

const title = `Gemini CLI in a directory${programProblem ? ` (skipped: ${programProblem})` : ""}`;

describe.skipIf(programProblem)(title, { timeout: TEST_TIMEOUT_MS }, () => {
  let world: GeminiWorld;
  beforeAll(async () => {
    world = await makeGeminiWorld(
      when("Touch it.", shell("touch buoy"), { text: "As you say." }),
      when("Show the variable.", shell('echo "it is [$PLANTED]"'), { text: "Shown." }),
    );
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => world.dispose());

  test("is not trusted with what it asks for, which is told once, until the user trusts it there", async () => {
    const harness = await world.open({}, { files });
    for (const turns of [1, 2]) {
      const turn = harness.prompt("Touch it.");
      await rejectEverything(harness, turn);
      await turn;
      expect(harness.events.filter(({ type }) => type === "permission.requested")).toHaveLength(turns);
    }
    expect(existsSync(join(harness.directory, "buoy"))).toBe(false);
    expect(ignored(harness)).toEqual([expect.stringMatching(/tools\.allowed.*\.gemini\/\.env.*\/permissions/s)]);
    await harness.dispose();

    const { directory } = harness;
    const trusted = join(geminiDirectory(world.host.env), "trustedFolders.json");
    await writeFile(trusted, JSON.stringify({ [directory]: "TRUST_FOLDER" }));
    const again = await world.open({ directory });
    await again.prompt("Touch it.");
    expect(existsSync(join(directory, "buoy"))).toBe(true);
    expect(ignored(again)).toEqual([]);
    await again.dispose();
  });

  test("is refused where the session has MCP servers, which the program would not start", async () => {
    const harness = await world.open({ mcp: { contract: mcpServerConfig } }, { files });
    await expect(harness.prompt("Touch it.")).rejects.toMatchObject({ code: "permission_denied" });
    await harness.dispose();
  });

  test("gives it no variables", async () => {
    const harness = await world.open({ permissionMode: "bypass" }, { files: { ".env": "PLANTED=yes\n" } });
    const { events } = await harness.prompt("Show the variable.");
    expect(toolOutputs(events).join()).toContain("it is []");
    await harness.dispose();
  });
});

function ignored({ events }: AgentHarness): (string | null | undefined)[] {
  const told = partsOf(events, "status").filter(({ label }) => label === "Settings of the directory ignored");
  return told.map(({ detail }) => detail);
}
