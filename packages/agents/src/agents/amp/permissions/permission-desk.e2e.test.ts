import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ask, PermissionDesk } from "./permission-desk.ts";
import { helperSource, launcherSource } from "./permission-helper.ts";

let root: string;
let desk: PermissionDesk;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "amp desk's-"));
});
afterEach(async () => {
  await desk.close();
  await rm(root, { recursive: true });
});

async function openDesk(ask: Ask): Promise<void> {
  desk = await PermissionDesk.open(root, ask);
  await writeFile(join(root, "ask.mjs"), helperSource);
  await writeFile(join(root, "ask"), launcherSource(process.execPath, join(root, "ask.mjs"), desk.path));
  await chmod(join(root, "ask"), 0o700);
}

/** As Amp starts it. */
function startHelper(tool: string, input: object) {
  const env = { ...process.env, AGENT_TOOL_NAME: tool, NODE_OPTIONS: "--no-such-option" };
  const helper = spawn(join(root, "ask"), [], { env, stdio: ["pipe", "ignore", "pipe"] });
  helper.stdin.end(JSON.stringify(input));
  return helper;
}

async function ask(tool: string, input: object): Promise<{ code: unknown; said: string }> {
  const helper = startHelper(tool, input);
  const [said, [code]] = await Promise.all([text(helper.stderr), once(helper, "exit")]);
  return { code, said };
}

test("a helper hands the question over, and exits as it is answered, from a folder with any name", async () => {
  await openDesk(async ({ tool, input }) => (input.ok ? "allow" : { refuse: `No ${tool} today.` }));
  expect(await ask("shell_command", { ok: true, long: "é".repeat(100_000) })).toEqual({ code: 0, said: "" });
  expect(await ask("shell_command", { ok: false })).toEqual({ code: 2, said: "No shell_command today." });
});

test("several ask at once, and each gets its own answer", async () => {
  await openDesk(async ({ input }) => (input.n === 1 ? "allow" : { refuse: "no" }));
  const answers = await Promise.all([ask("t", { n: 0 }), ask("t", { n: 1 }), ask("t", { n: 2 })]);
  expect(answers.map(({ code }) => code)).toEqual([2, 0, 2]);
});

test("who is not answered before the desk is closed, or comes too late, is refused", async () => {
  let wasAsked = (): void => {};
  const first = new Promise<void>((resolve) => {
    wasAsked = resolve;
  });
  await openDesk(() => {
    wasAsked();
    return new Promise(() => {});
  });
  const waiting = ask("t", {});
  await first;
  await desk.close();
  expect(await waiting).toMatchObject({ code: 2 });
  expect(await ask("t", {})).toEqual({ code: 2, said: "Nobody can be asked for permission any more." });
});

test("a helper that is killed no longer waits", async () => {
  const gone = new Promise<void>((resolve) => {
    void openDesk((_use, signal) => {
      signal.addEventListener("abort", () => resolve());
      helper.kill();
      return new Promise(() => {});
    }).then(() => {
      helper = startHelper("t", {});
    });
  });
  let helper: ReturnType<typeof startHelper>;
  await gone;
});

test("a path too long for a socket is not used", async () => {
  const deep = join(root, "d".repeat(120));
  await mkdir(deep);
  desk = await PermissionDesk.open(deep, async () => "allow");
  expect(desk.path.length).toBeLessThan(100);
  await desk.close();
  expect(existsSync(desk.path)).toBe(false);
});
