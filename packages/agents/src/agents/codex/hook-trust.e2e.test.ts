/** Feared: with hooks in its profile, a session runs hooks of a repository or of the user's that nobody has reviewed. */
import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hookEvents } from "@sandbox-agent-ts/protocol";
import { expect, onTestFinished, test } from "vitest";
import { mcpServerConfig } from "../../contract/contract-fixtures.ts";
import { eventually } from "../../contract/eventually.ts";
import { when } from "../../contract/scripted-world.ts";
import { keyConfig, makeCodexWorld } from "./__fixtures__/open-codex.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";

const why = programProblem ? ` (skipped: ${programProblem})` : "";

/** As Codex keeps that its user has reviewed a hook. */
function reviewed(file: string, command: string): string {
  const hook = { async: false, command, timeout: 600, type: "command" };
  const text = JSON.stringify({ event_name: "user_prompt_submit", hooks: [hook] });
  const hash = createHash("sha256").update(text).digest("hex");
  return `\n[hooks.state."${file}:user_prompt_submit:0:0"]\ntrusted_hash = "sha256:${hash}"\n`;
}

test.skipIf(programProblem)(
  `hooks of a profile run, hooks of the repository and of the user only when they were reviewed${why}`,
  { timeout: 120_000 },
  async () => {
    const world = await makeCodexWorld({
      conversations: [when("Light it.", { text: "It burns.", repeat: "forever" })],
      config: keyConfig,
      env: () => ({ SCRIPTED_KEY: "key" }),
    });
    onTestFinished(async () => {
      await adapter.close?.();
      await world.dispose();
    });
    const home = join(world.host.env.HOME!, ".codex");
    const log = join(world.host.dataDir, "hooks.log");
    const servers = join(world.host.dataDir, "servers.log");
    const says = (word: string) => `echo ${word} >> '${log}'`;
    const hooks = (...words: string[]) => {
      return JSON.stringify({
        hooks: { UserPromptSubmit: words.map((word) => ({ hooks: [{ type: "command", command: says(word) }] })) },
      });
    };
    const directory = await world.makeDirectory({});
    await mkdir(join(directory, ".git"));
    await mkdir(join(directory, ".codex"));
    await writeFile(join(directory, ".codex", "hooks.json"), hooks("repository"));
    const userHooks = join(home, "hooks.json");
    await writeFile(userHooks, hooks("reviewed", "user"));
    const { command, args = [] } = mcpServerConfig as { command: string; args?: readonly string[] };
    const counted = ["-c", `echo started >> '${servers}'; exec "$0" "$@"`, command, ...args];
    await appendFile(
      join(home, "config.toml"),
      `\n[projects."${directory}"]\ntrust_level = "trusted"\n${reviewed(userHooks, says("reviewed"))}` +
        `\n[mcp_servers.own]\ncommand = "sh"\nargs = ${JSON.stringify(counted)}\n`,
    );

    const profileHooks = hookEvents.flatMap((event) => [
      { event, command: says(event) },
      { event, matcher: "*", command: says(`${event}-matched`), timeoutMs: 5_000 },
    ]);
    const harness = await world.open({ directory, hooks: profileHooks });
    onTestFinished(() => harness.dispose());
    expect((await harness.prompt("Light it.")).outcome.reason).toBe("completed");
    await harness.reopen();
    expect((await harness.prompt("Light it.")).outcome.reason).toBe("completed");
    await harness.close();

    const ran = async () => [...new Set((await readFile(log, "utf8")).trim().split("\n"))].sort();
    const own = ["sessionStart", "userPrompt", "turnEnd", "sessionEnd"].flatMap((event) => [event, `${event}-matched`]);
    await eventually(async () => expect(await ran()).toEqual(["reviewed", ...own].sort()));
    const started = (await readFile(servers, "utf8")).trim().split("\n");
    expect(started, "the user's server is started for the session alone").toHaveLength(2);
  },
);
