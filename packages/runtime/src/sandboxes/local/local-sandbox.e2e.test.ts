// What only a sandbox on this machine has: control groups, files that others can plant, processes that others can kill.

import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { cliBundle } from "../../../../../scripts/setup.mjs";
import { runProbe } from "../contract/run-probe.ts";
import { until } from "../contract/sandbox-bench.ts";
import type { Sandbox, SandboxSpec } from "../sandbox-provider.ts";
import { bundleProgram, type LocalUnderTest, localUnderTest, processesOf } from "./__fixtures__/local-under-test.ts";
import { findBubblewrap } from "./bubblewrap.ts";
import { ControlGroups } from "./control-groups.ts";
import { createLocalProvider } from "./local-provider.ts";
import { unfinishedName } from "./unfinished-folder.ts";

const label = { key: "suite", value: "local" };
const bubblewrap = findBubblewrap();
const withoutBubblewrap = "problem" in bubblewrap ? ` (left out: ${bubblewrap.problem})` : "";
const missing = new ControlGroups().missing;
const withoutGroups = missing.length > 0 ? ` (left out: no control groups for ${missing.join(", ")}; needs root)` : "";

let local: LocalUnderTest;
beforeAll(async () => {
  local = await localUnderTest({ isolation: "none" });
});
afterAll(() => local?.destroy());

const create = (spec: Partial<SandboxSpec> = {}, { provider } = local) =>
  provider.create({ labels: { [label.key]: label.value }, bundle: dirname(cliBundle), ...spec });

/** Run a program to its end, or until it is ended. */
async function runScript(sandbox: Sandbox, text: string): Promise<string | undefined> {
  const path = `${sandbox.paths.workspace}/script.cjs`;
  await sandbox.write([{ path, data: Buffer.from(text) }]);
  await sandbox.start([path], {});
  await until(async () => (await sandbox.status()).state === "failed");
  return (await sandbox.status()).why;
}

describe("limits", () => {
  test.skipIf(withoutGroups)(`memory that is used up ends the daemon, with that reason${withoutGroups}`, async () => {
    const sandbox = await create({ memoryMiB: 128 });
    const why = await runScript(sandbox, "const held = []; for (;;) held.push(Buffer.alloc(8_000_000, 1));");
    expect(why).toContain("SIGKILL");
    expect(why).toContain("128 MiB");
    await sandbox.destroy();
    expect(await local.leftovers(sandbox.id)).toEqual([]);
  });

  test.skipIf(withoutGroups)(`no more processes are started than are allowed${withoutGroups}`, async () => {
    const sandbox = await create({ maxProcesses: 30 });
    await runScript(
      sandbox,
      `const { spawn } = require("node:child_process");
       let failed = 0;
       for (let i = 0; i < 40; i++) spawn("sleep", ["1000"]).on("error", ({ code }) => (failed += 1)).unref();
       setImmediate(() => { console.error(failed > 10 && failed < 40 ? "bounded" : "not bounded: " + failed); process.exit(); });`,
    );
    expect(await sandbox.logs(1_000)).toContain("bounded\n");
    await sandbox.destroy();
    expect(await local.leftovers(sandbox.id)).toEqual([]);
  });

  test("where nothing can be limited that is said", async () => {
    const bare = await localUnderTest({ isolation: "none", controlGroups: "none" });
    onTestFinished(() => bare.destroy());
    const limits = (await bare.provider.check()).find(({ name }) => name === "limits");
    expect(limits).toMatchObject({ ok: false, detail: expect.stringContaining("memory, pids, cpu") });
  });
});

test("without control groups every process is stopped and goes on", async () => {
  const bare = await localUnderTest({ isolation: "none", controlGroups: "none" });
  onTestFinished(() => bare.destroy());
  const sandbox = await create({}, bare);
  const path = `${sandbox.paths.workspace}/tick.cjs`;
  const text = `const tick = (name) => setInterval(() => console.error(name), 5);
    if (process.argv.includes("child")) tick("child");
    else { tick("parent"); require("node:child_process").spawn(process.execPath, [__filename, "child"], { detached: true, stdio: "inherit" }); }`;
  await sandbox.write([{ path, data: Buffer.from(text) }]);
  await sandbox.start([path], {});
  const hasBoth = async () =>
    ["child", "parent"].every((name) => readFileSync(join(bare.root, sandbox.id, "ctl/log"), "utf8").includes(name));
  await until(async () => existsSync(join(bare.root, sandbox.id, "ctl/log")) && hasBoth());
  await sandbox.suspend!();
  expect((await sandbox.status()).state).toBe("suspended");
  const states = processesOf(sandbox.id).map(
    ({ pid }) => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1],
  );
  expect(states.length).toBeGreaterThan(2);
  expect(new Set(states)).toEqual(new Set(["T"]));
  await sandbox.resume!();
  expect((await sandbox.status()).state).toBe("running");
  const size = (await sandbox.logs(10_000_000)).length;
  await until(async () => (await sandbox.logs(10_000_000)).length > size);
  await sandbox.suspend!();
  await sandbox.destroy();
  expect(await bare.leftovers(sandbox.id)).toEqual([]);
});

test("what the daemon says is kept in bounded space, the last of it", async () => {
  const sandbox = await create();
  await runScript(
    sandbox,
    `const { writeSync } = require("node:fs");
     for (let i = 0; i < 20_000; i++) writeSync(2, ("line " + i + " ").padEnd(1000, "x") + "\\n");`,
  );
  const ctl = join(local.root, sandbox.id, "ctl");
  const bytes = readdirSync(ctl)
    .filter((name) => name.startsWith("log"))
    .map((name) => statSync(join(ctl, name)).size);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(9_000_000);
  expect(await sandbox.logs(2_000)).toContain("line 19999 ");
  await sandbox.destroy();
});

test("a link that was planted is not followed by a write", async () => {
  const sandbox = await create();
  const target = join(local.root, "elsewhere");
  mkdirSync(target);
  const { workspace } = sandbox.paths;
  symlinkSync(target, join(workspace, "folder"));
  symlinkSync(join(target, "file"), join(workspace, "file"));
  const data = Buffer.from("1");
  await expect(sandbox.write([{ path: `${workspace}/folder/file`, data }])).rejects.toThrow("a link or a file");
  await sandbox.write([{ path: `${workspace}/file`, data }]);
  expect(readdirSync(target)).toEqual([]);
  expect(statSync(join(workspace, "file")).isFile()).toBe(true);
  rmSync(target, { recursive: true });
  await sandbox.destroy();
});

test("a daemon whose supervisor was killed is told, and ended by the next start", async () => {
  const sandbox = await create();
  const path = `${sandbox.paths.workspace}/wait.cjs`;
  await sandbox.write([{ path, data: Buffer.from('console.error("here"); setInterval(() => {}, 1000);') }]);
  await sandbox.start([path], {});
  await until(async () => (await sandbox.logs(100)).includes("here"));
  const before = processesOf(sandbox.id);
  for (const { pid, args } of before) if (args.startsWith("/bin/sh")) process.kill(pid, "SIGKILL");
  await until(async () => (await sandbox.status()).state === "failed");
  expect((await sandbox.status()).why).toContain("nobody saw its end");
  await expect(sandbox.endpoint()).rejects.toThrow("nobody saw its end");
  await sandbox.start([path], {});
  expect((await sandbox.status()).state).toBe("running");
  const old = before.find(({ args }) => args.includes("node "));
  expect(processesOf(sandbox.id).map(({ pid }) => pid)).not.toContain(old?.pid);
  await sandbox.destroy();
  expect(await local.leftovers(sandbox.id)).toEqual([]);
});

test("a folder that was left half made is swept after a while, a fresh one is let be", async () => {
  const [old, fresh] = ["sb-old", "sb-fresh"].map((name) => join(local.root, name)) as [string, string];
  for (const path of [old, fresh]) mkdirSync(join(path, "home"), { recursive: true });
  utimesSync(old, 1, 1);
  for await (const _ of local.provider.list(label));
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
  rmSync(fresh, { recursive: true });
});

test("a folder whose maker was killed is swept at once, one of a living process is let be", async () => {
  const killed = spawnSync(process.execPath, ["-e", "process.stdout.write(String(process.pid))"]).stdout.toString();
  const alive = unfinishedName();
  const forsaken = alive.replace(`-${process.pid}-`, `-${killed}-`);
  const paths = [forsaken, alive].map((name) => join(local.root, name));
  for (const path of paths) mkdirSync(join(path, "home"), { recursive: true });
  for await (const _ of local.provider.list(label));
  expect(paths.map((path) => existsSync(path))).toEqual([false, true]);
  rmSync(paths[1]!, { recursive: true });
});

test.skipIf(withoutBubblewrap)(
  `a sandbox that was made isolated is started again isolated, also where new ones are not${withoutBubblewrap}`,
  async () => {
    const isolated = createLocalProvider({ root: local.root, isolation: "bubblewrap" });
    const { id } = await create({}, { ...local, provider: isolated });
    const sandbox = (await local.provider.attach(id))!;
    const look = `require("fs").writeFileSync("/workspace/seen", require("fs").existsSync(${JSON.stringify(local.root)}) ? "outside" : "inside")`;
    await runScript(sandbox, look);
    expect(readFileSync(join(local.root, id, "workspace/seen"), "utf8")).toBe("inside");
    await sandbox.destroy();
  },
);

test("a destroy that was cut short is finished by another", async () => {
  const sandbox = await create();
  const record = join(local.root, sandbox.id, "ctl/sandbox.json");
  const { mkdir, writeFile } = await import("node:fs/promises");
  const text = readFileSync(record, "utf8");
  await sandbox.destroy();
  await mkdir(dirname(record), { recursive: true });
  await writeFile(record, JSON.stringify({ ...JSON.parse(text), isEnding: true }));
  const found = await local.another().attach(sandbox.id);
  expect(await found?.status()).toEqual({ state: "gone", why: "It is being removed." });
  await expect(found?.start(["x"], {})).rejects.toMatchObject({ code: "not_found" });
  await found?.destroy();
  expect(await local.leftovers(sandbox.id)).toEqual([]);
});

test("only its owner can look into the folder", async () => {
  const sandbox = await create();
  const modes = [local.root, join(local.root, sandbox.id)].map((path) => (statSync(path).mode & 0o777).toString(8));
  expect(modes).toEqual(["700", "700"]);
  await sandbox.destroy();
});

test("bubblewrap that is asked for and missing is said by check and by create", async () => {
  const without = await localUnderTest({ isolation: "bubblewrap", bubblewrap: "/nowhere/bwrap" });
  onTestFinished(() => without.destroy());
  const check = (await without.provider.check()).find(({ name }) => name === "isolation");
  expect(check).toMatchObject({ ok: false, detail: expect.stringContaining("Install the package `bubblewrap`") });
  await expect(create({}, without)).rejects.toMatchObject({ code: "unavailable" });
  const either = await localUnderTest({ isolation: "auto", bubblewrap: "/nowhere/bwrap" });
  onTestFinished(() => either.destroy());
  expect([either.provider.can.isolation, either.provider.can.network]).toEqual([false, false]);
});

describe.skipIf(withoutBubblewrap)(`with bubblewrap${withoutBubblewrap}`, () => {
  let isolated: LocalUnderTest;
  beforeAll(async () => {
    isolated = await localUnderTest({ isolation: "bubblewrap" });
  });
  afterAll(() => isolated?.destroy());

  test("with the network on, loopback of this machine is reached", async () => {
    const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const sandbox = await create({}, isolated);
    expect((await runProbe(sandbox, { connect: (server.address() as AddressInfo).port })).connection).toBe("ok");
    await sandbox.destroy();
  });

  test("whoever kills bubblewrap ends everything inside", async () => {
    const sandbox = await create({}, isolated);
    const path = `${sandbox.paths.workspace}/wait.cjs`;
    await sandbox.write([{ path, data: Buffer.from('console.error("here"); setInterval(() => {}, 1000);') }]);
    await sandbox.start([path], {});
    await until(async () => (await sandbox.logs(100)).includes("here"));
    const outer = processesOf(sandbox.id).find(({ args }) => args.startsWith("bwrap "));
    process.kill(outer!.pid, "SIGKILL");
    await until(async () => processesOf(sandbox.id).length === 0);
    expect(await sandbox.status()).toEqual({ state: "failed", why: "The daemon was ended by SIGKILL." });
    await sandbox.destroy();
  });

  test("nothing inside sees what we keep about it", async () => {
    const sandbox = await create({}, isolated);
    const { readable } = await runProbe(sandbox, { read: [join(isolated.root, sandbox.id, "ctl/sandbox.json")] });
    expect(readable).toEqual([false]);
    await sandbox.destroy();
  });

  const asRoot = process.getuid?.() === 0 ? "" : " (left out: only root can become somebody else)";
  test.skipIf(asRoot)(
    `an ordinary user has isolated sandboxes too, and removes what is locked inside${asRoot}`,
    async () => {
      const directory = realpathSync(mkdtempSync(join(tmpdir(), "ordinary-user-")));
      onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
      const program = await bundleProgram("ordinary-user-program", directory);
      const [root, bundle] = ["sandboxes", "bundle"].map((name) => join(directory, name)) as [string, string];
      for (const path of [root, bundle]) mkdirSync(path);
      const nobody = 65_534;
      for (const path of [directory, root, bundle]) chownSync(path, nobody, nobody);
      const options = { uid: nobody, gid: nobody, cwd: directory, env: { PATH: process.env.PATH, HOME: directory } };
      const { stdout } = await promisify(execFile)(process.execPath, [program, root, bundle], options);
      expect(JSON.parse(stdout)).toMatchObject({
        uid: nobody,
        can: { isolation: true, network: true, suspend: "memory" },
        logs: "uid 1000\n",
        state: "suspended",
        isGone: true,
      });
    },
  );
});
