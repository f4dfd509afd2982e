import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { McpWatch } from "./mcp-watch.ts";

function makeWatch(): { watch: McpWatch; parent: string } {
  const parent = mkdtempSync(join(tmpdir(), "sandbox-agent-mcp-watch-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  return { watch: new McpWatch(join(parent, "ends")), parent };
}

async function start(watch: McpWatch, command: string, ...args: string[]) {
  const watched = await watch.watched("harbour", { command, args });
  return spawn(watched.command, watched.args, { stdio: ["pipe", "pipe", "ignore"] });
}

test.each([
  ["/nonexistent/harbour", [], "Its command was not found."],
  ["/dev/null", [], "Its command may not be executed."],
  ["sh", ["-c", "exit 3"], "It ended with exit code 3."],
  ["true", [], "It ended with exit code 0."],
])("a server that cannot start is told once: %s %j", async (command, args, detail) => {
  const { watch } = makeWatch();
  await once(await start(watch, command, ...args), "exit");
  expect(await watch.failed()).toEqual([{ name: "harbour", detail: expect.stringContaining(detail) }]);
  expect(await watch.failed()).toEqual([]);
});

test("a server that runs reads its input, and is no failure when it is ended", async () => {
  const { watch } = makeWatch();
  const server = await start(watch, "cat");
  server.stdin?.write("ahoy\n");
  const [said] = (await once(server.stdout!, "data")) as [Buffer];
  expect(said.toString()).toBe("ahoy\n");
  expect(await watch.failed()).toEqual([]);
  server.kill("SIGTERM");
  await once(server, "exit");
  expect(await watch.failed()).toEqual([]);
});

test("what is asked twice about one server is one report, and nothing is left behind", async () => {
  const { watch, parent } = makeWatch();
  const command = { command: "a", args: [] };
  expect(await watch.watched("one", command)).toEqual(await watch.watched("one", command));
  expect(await watch.watched("two", command)).not.toEqual(await watch.watched("one", command));
  await watch.close();
  expect(readdirSync(join(parent, "ends"))).toEqual([]);
});

test("a server elsewhere that cannot be reached is told once", async () => {
  const { watch } = makeWatch();
  await watch.reach("far", "http://127.0.0.1:1/mcp", {});
  const detail = expect.stringMatching(/^127\.0\.0\.1:1 cannot be reached .* Its tools are missing\.$/);
  expect(await watch.failed()).toEqual([{ name: "far", detail }]);
  expect(await watch.failed()).toEqual([]);
});
