/** Feared: two installations that spoil each other, download twice, or wait for one that is dead. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { InstallerWorld, temporaryDirectory, toolFiles } from "./__fixtures__/installer-world.ts";

let buildDirectory: string;
let world: InstallerWorld;

beforeAll(async () => {
  buildDirectory = await mkdtemp(join(tmpdir(), "sandbox-agent-installing-"));
  await build({
    entryPoints: [fileURLToPath(new URL("./__fixtures__/installing-process.ts", import.meta.url))],
    outfile: join(buildDirectory, "installing-process.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@sandbox-agent-ts/source"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
});
afterAll(() => rmSync(buildDirectory, { recursive: true }));

beforeEach(async () => {
  world = await InstallerWorld.create();
});

function startProcess(
  env: object = {},
  installRoot = world.installRoot,
): { child: ChildProcess; answer: Promise<string> } {
  const child = spawn(process.execPath, [join(buildDirectory, "installing-process.mjs"), installRoot], {
    env: { ...world.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, answer: text(child.stdout!).then((path) => path.trim()) };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Half of the first archive that is asked for, and then nothing; answers when it was asked for. */
function stallFirstArchive(): Promise<ServerResponse> {
  return new Promise((resolve) => {
    world.registry.intercept = ({ kind }, response) => {
      if (kind !== "archive") return undefined;
      world.registry.intercept = undefined;
      response.writeHead(200, { "content-length": 100_000 });
      response.write("half", () => resolve(response));
      return true;
    };
  });
}

const wordOf = (path: string) => execFileSync(path, { encoding: "utf8", env: {} }).trim();

/** The program and its record, and nothing of anybody who failed. */
function expectClean(): void {
  expect(readdirSync(join(world.installRoot, "tool"))).toEqual(["1.0.0"]);
  expect(readdirSync(join(world.installRoot, "tool", "1.0.0"))).toHaveLength(2);
}

describe("in one process", () => {
  test("many at once are one", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => world.install()));
    expect(new Set(all.map(({ path }) => path)).size).toBe(1);
    expect(world.registry.requests).toHaveLength(2);
    expectClean();
  });

  test("an installation and a reinstallation at once leave one that works", async () => {
    await Promise.all([world.install(), world.install({ reinstall: true }), world.install({ reinstall: true })]);
    expect(wordOf((await world.install()).path)).toBe("tool 1.0.0 hello");
    expectClean();
  });

  test("a failure is not kept: the next one tries anew", async () => {
    world.registry.intercept = (_request, response) => {
      response.writeHead(404).end();
      return true;
    };
    const both = await Promise.allSettled([world.install(), world.install()]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(world.registry.requests).toHaveLength(1);
    world.registry.intercept = undefined;
    await world.install();
  });
});

describe("in several processes", () => {
  test("one downloads, all get the same", async () => {
    const paths = await Promise.all(Array.from({ length: 3 }, () => startProcess().answer));
    expect(new Set(paths).size).toBe(1);
    expect(wordOf(paths[0]!)).toBe("tool 1.0.0 hello");
    expect(world.registry.count("archive")).toBe(1);
    expectClean();
  });

  test("that install to different places share the cache without harm", async () => {
    const places = await Promise.all([temporaryDirectory(), temporaryDirectory(), temporaryDirectory()]);
    const paths = await Promise.all(places.map((place) => startProcess({}, place).answer));
    expect(paths.map(wordOf)).toEqual(Array(3).fill("tool 1.0.0 hello"));
    const kept = readdirSync(world.packages).filter((name) => !name.endsWith(".json"));
    expect(new Set(kept.map((name) => name.replace(/\.tgz$/, ""))).size).toBe(1);
  });

  test("one that waits takes over when the other is killed", async () => {
    const stalled = stallFirstArchive();
    const doomed = startProcess();
    await stalled;
    const heir = startProcess();
    await vi.waitFor(() =>
      expect(readFile(`/proc/${heir.child.pid}/cmdline`, "utf8")).resolves.toContain("installing"),
    );
    await kill(doomed.child);
    expect(wordOf(await heir.answer)).toBe("tool 1.0.0 hello");
    expectClean();
  });
});

describe("killed with -9", () => {
  test("in the middle of the download: the next one works", async () => {
    const stalled = stallFirstArchive();
    const { child } = startProcess();
    await stalled;
    await kill(child);
    expect(wordOf((await world.install()).path)).toBe("tool 1.0.0 hello");
    expectClean();
  });

  test("when it is unpacked but not tried out: it does not count, and the next one removes it", async () => {
    const started = join(world.directory, "started");
    const script = `#!/bin/sh\nif [ -n "$STARTED" ]; then echo $$ > "$STARTED"; exec sleep 600; fi\necho 1.0.0\n`;
    await world.publish({ "bin/tool": script });
    const { child } = startProcess({ STARTED: started });
    const pid = await vi.waitFor(async () => {
      const written = Number(await readFile(started, "utf8"));
      expect(written).toBeGreaterThan(0);
      return written;
    }, 20_000);
    onTestFinished(() => void process.kill(pid, "SIGKILL"));
    await kill(child);
    const [half] = readdirSync(join(world.installRoot, "tool", "1.0.0"));
    expect(half).toMatch(/^[0-9a-f]{8}$/);
    const { path } = await world.install();
    expect(path).not.toContain(half);
    expect(wordOf(path)).toBe("1.0.0");
    expectClean();
  });
});

describe.each(["SIGKILL", "SIGINT", "SIGTERM"])("ended by %s", (END_BY) => {
  test.each(["registry", "resolve", "download", "unpack", "verify"])(
    "at the step %s: what was there works, and the next one works",
    async (END_AT) => {
      await world.publish(toolFiles("1.1.0"), { version: "1.1.0" });
      const before = await world.install();
      const { child } = startProcess({ VERSION: "1.1.0", END_AT, END_BY });
      const [, signal] = await once(child, "exit");
      expect(signal).toBe(END_BY);
      expect(wordOf(before.path)).toBe("tool 1.0.0 hello");
      expect(wordOf((await world.install({ version: "1.1.0" })).path)).toBe("tool 1.1.0 hello");
      const unfinished = readdirSync(world.packages).filter((name) => name.includes("partial"));
      expect([unfinished, readdirSync(join(world.installRoot, "tool")).sort()]).toEqual([[], ["1.0.0", "1.1.0"]]);
    },
  );
});
