/** A program that starts a daemon keeps its own way of taking signals, and however it ends, the daemon ends too. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { isAlive } from "../__fixtures__/is-alive.ts";

const parent = fileURLToPath(new URL("../__fixtures__/parent.mjs", import.meta.url));
const fakeCli = fileURLToPath(new URL("../__fixtures__/fake-cli.mjs", import.meta.url));

let spawnModule: string;

beforeAll(async () => {
  spawnModule = join(mkdtempSync(join(tmpdir(), "sandbox-agent-sdk-")), "spawn.mjs");
  const entry = fileURLToPath(new URL("./spawn.ts", import.meta.url));
  await build({ entryPoints: [entry], outfile: spawnModule, bundle: true, platform: "node", format: "esm" });
});

interface Parent {
  child: ChildProcess;
  daemon: number;
  lines: string[];
}

async function startParent(behaviour: string): Promise<Parent> {
  const args = [parent, pathToFileURL(spawnModule).href, fakeCli];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PARENT: behaviour },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = createInterface(child.stdout);
  const lines: string[] = [];
  output.on("line", (line) => lines.push(line));
  const [first] = (await once(output, "line")) as [string];
  return { child, daemon: Number(first.replace("daemon ", "")), lines };
}

const goneSoon = (pid: number): Promise<void> => vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000);

test.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const)(
  "a program dies by %s as if we were not there",
  async (signal) => {
    const { child, daemon } = await startParent("");
    expect(isAlive(daemon)).toBe(true);
    child.kill(signal);
    expect(await once(child, "close")).toEqual([null, signal]);
    await goneSoon(daemon);
  },
);

test("a program's own SIGINT handler runs, with the daemon still there", async () => {
  const { child, daemon, lines } = await startParent("handles-sigint");
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([7, null]);
  expect(lines).toContain("cleaned up, the daemon answered 200");
  await goneSoon(daemon);
});

test("a program that exits without dispose leaves nothing behind", async () => {
  const { child, daemon } = await startParent("exits");
  if (child.exitCode === null) await once(child, "close");
  expect(child.exitCode).toBe(0);
  await goneSoon(daemon);
});
