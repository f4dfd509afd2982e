import { EventEmitter, once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { isAlive, silentLog, startFakeAgent } from "./__fixtures__/fake-agent.ts";
import { noCgroups, openCgroups, removeCgroup } from "./process-cgroup.ts";
import { spawnProcess } from "./spawn-process.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";

const onLinux = process.platform === "linux";

let supervisor: Supervisor;
beforeEach(() => {
  supervisor = createSupervisor({ recordDir: null, owner: `test-${process.pid}`, log: silentLog });
});
afterEach(() => supervisor.close());

test("a grandchild in the group is gone after stop", async () => {
  const agent = startFakeAgent(supervisor);
  const grandchild = Number(await agent.ask("grandchild"));
  expect(isAlive(grandchild)).toBe(true);
  await agent.process.stop();
  expect(isAlive(grandchild)).toBe(false);
});

test.runIf(onLinux)("a grandchild that left the group is gone after stop (needs /proc)", async () => {
  const agent = startFakeAgent(supervisor);
  const grandchild = Number(await agent.ask("grandchild-detached"));
  expect(isAlive(grandchild)).toBe(true);
  await agent.process.stop();
  expect(isAlive(grandchild)).toBe(false);
});

test("one that holds the pipes does not delay the exit, and stop ends it afterwards", async () => {
  const agent = startFakeAgent(supervisor);
  const grandchild = Number(await agent.ask("grandchild"));
  await agent.prompt("crash 5");
  expect(await agent.process.exited).toMatchObject({ exitCode: 5 });
  expect(isAlive(grandchild)).toBe(true);
  await agent.process.stop();
  expect(isAlive(grandchild)).toBe(false);
});

test.runIf(onLinux)("one that left the group and lost its parent is found by its marker (needs /proc)", async () => {
  const agent = startFakeAgent(supervisor);
  const grandchild = Number(await agent.ask("grandchild-detached"));
  await agent.prompt("crash");
  await agent.process.exited;
  expect(isAlive(grandchild)).toBe(true);
  await agent.process.stop();
  expect(isAlive(grandchild)).toBe(false);
});

test.runIf(onLinux)("one without marker, group and mercy is found by its parent and killed (needs /proc)", async () => {
  const hidden = `trap "" TERM; echo hidden $$; while :; do sleep 0.1; done`;
  const agent = startFakeAgent(supervisor, {
    command: "sh",
    args: ["-c", `env -i setsid sh -c '${hidden}' & wait`],
    graceMs: 100,
  });
  const grandchild = Number((await agent.lineWith("hidden")).split(" ")[1]);
  await agent.process.stop();
  expect(isAlive(grandchild)).toBe(false);
});

test.runIf(onLinux)(
  "closing the supervisor ends what exited processes left outside their groups (needs /proc)",
  async () => {
    const agent = startFakeAgent(supervisor);
    const grandchild = Number(await agent.ask("grandchild-detached"));
    agent.process.endInput();
    await agent.process.exited;
    expect(isAlive(grandchild)).toBe(true);
    await supervisor.close();
    expect(isAlive(grandchild)).toBe(false);
  },
);

/** Sheds environment, group and session, and loses its parent; then the agent says so. */
const shedAll = `env -i setsid sh -c 'echo shed $$; exec sleep 600' & wait; sleep 600`;
const shedAndOrphaned = `read -r go; (env -i setsid sh -c 'echo shed $$; exec sleep 600' &) ; sleep 600`;

const cgroups = openCgroups();
const probe = cgroups.create(`probe-${process.pid}`, process.pid);
const hasCgroups = probe !== null;
if (probe !== null) {
  writeFileSync(join(dirname(probe), "cgroup.procs"), String(process.pid));
  removeCgroup(probe);
}

test.runIf(onLinux && hasCgroups)(
  "one without marker, group, session and parent is found by its control group (needs a writable cgroup)",
  async () => {
    const agent = startFakeAgent(supervisor, { command: "sh", args: ["-c", shedAndOrphaned], graceMs: 100 });
    await agent.process.writeLine("go");
    const grandchild = Number((await agent.lineWith("shed")).split(" ")[1]);
    await agent.process.stop();
    expect(isAlive(grandchild)).toBe(false);
  },
);

test.runIf(onLinux)(
  "where there are no control groups it is found if it was seen with its parent (needs /proc)",
  async () => {
    const recordDir = mkdtempSync(join(tmpdir(), "strays-"));
    onTestFinished(() => rmSync(recordDir, { recursive: true }));
    const plain = createSupervisor({ recordDir, owner: `plain-${process.pid}`, log: silentLog, cgroups: noCgroups });
    onTestFinished(() => plain.close());
    const agent = startFakeAgent(plain, { command: "sh", args: ["-c", shedAll], graceMs: 100 });
    const grandchild = Number((await agent.lineWith("shed")).split(" ")[1]);
    await vi.waitFor(() => {
      const [name] = readdirSync(recordDir);
      expect(readFileSync(join(recordDir, name!), "utf8")).toContain(`"strays":[{"pid":${grandchild},`);
    }, 10_000);
    await agent.process.stop();
    expect(isAlive(grandchild)).toBe(false);
  },
);

test("without a process table the group alone is ended", async () => {
  const exitsAfterItsChild = `
    const child = require("node:child_process").spawn("sleep", ["600"]);
    process.on("SIGTERM", () => {});
    child.on("exit", () => process.exit());
    console.log(child.pid);
  `;
  const firstLine = new EventEmitter();
  const process = spawnProcess(
    {
      command: globalThis.process.execPath,
      args: ["-e", exitsAfterItsChild],
      cwd: tmpdir(),
      env: { PATH: globalThis.process.env.PATH ?? "" },
      label: "parent",
      onLines: ([pid]) => firstLine.emit("pid", pid),
    },
    { marker: "none", table: null, cgroups: noCgroups, log: silentLog, onStarted() {}, onGone() {} },
  );
  const grandchild = Number((await once(firstLine, "pid"))[0]);
  expect(isAlive(grandchild)).toBe(true);
  await process.stop();
  expect(isAlive(grandchild)).toBe(false);
});
