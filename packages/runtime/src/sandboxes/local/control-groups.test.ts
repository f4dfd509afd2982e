/** Feared: what limits a sandbox and what holds it still are two groups of one hierarchy, where a process can be in one only. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ControlGroups } from "./control-groups.ts";

const limited = { memoryMiB: 64, maxProcesses: 10, cpus: 1 };

/** As the kernel does it: a new group has the files of what was turned on for it. */
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const files: Record<string, string> = { memory: "memory.max", pids: "pids.max", cpu: "cpu.max" };
  return {
    ...fs,
    mkdirSync: (path: string, options?: { recursive: boolean }) => {
      const made = fs.mkdirSync(path, options);
      const control = join(path, "..", "cgroup.subtree_control");
      if (!fs.existsSync(control)) return made;
      const on = fs.statSync(control).isFile() ? fs.readFileSync(control, "utf8").slice(1) : "";
      for (const name of ["cgroup.freeze", files[on]]) if (name) fs.writeFileSync(join(path, name), "");
      return made;
    },
  };
});
vi.mock("@sandbox-agent-ts/agents/processes", async (original) => ({
  ...(await original<typeof import("@sandbox-agent-ts/agents/processes")>()),
  removeCgroup: (group: string) => rmSync(group, { recursive: true, force: true }),
}));

let top: string;
let own: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "control-groups-"));
  own = join(top, "session");
  mkdirSync(own);
  writeFileSync(join(top, "cgroup.subtree_control"), "");
});

afterEach(() => rmSync(top, { recursive: true }));

test("version 2 turns nothing on in a group that has processes: all is in the one where it can be had", () => {
  mkdirSync(join(own, "cgroup.subtree_control"));
  const groups = new ControlGroups([{ controllers: null, own, top }]);
  expect(groups.missing).toEqual([]);
  expect(groups.pathsFor("a", limited)).toEqual([join(top, "sandbox-agent-a")]);
  expect(groups.pathsFor("a", {})).toEqual([join(top, "sandbox-agent-a")]);
});

test("where our own group can have all of it, the top is left alone", () => {
  writeFileSync(join(own, "cgroup.subtree_control"), "");
  const groups = new ControlGroups([{ controllers: null, own, top }]);
  expect(groups.missing).toEqual([]);
  expect(groups.pathsFor("a", limited)).toEqual([join(own, "sandbox-agent-a")]);
});

test("a sandbox without limits is still held together, and joins nothing else", () => {
  const [memory, freezer] = ["memory", "freezer"].map((name) => join(top, name)) as [string, string];
  for (const [path, control] of [
    [memory, "+memory"],
    [freezer, ""],
  ] as const) {
    mkdirSync(path);
    writeFileSync(join(path, "cgroup.subtree_control"), control);
  }
  const groups = new ControlGroups([
    { controllers: ["memory"], own: memory, top: memory },
    { controllers: ["freezer"], own: freezer, top: freezer },
  ]);
  expect(groups.missing).toEqual(["pids", "cpu"]);
  expect(groups.pathsFor("a", {})).toEqual([join(freezer, "sandbox-agent-a")]);
  expect(groups.pathsFor("a", limited)).toEqual([freezer, memory].map((path) => join(path, "sandbox-agent-a")));
});
