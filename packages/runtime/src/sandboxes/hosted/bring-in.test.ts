import { expect, test } from "vitest";
import { bringIn } from "./bring-in.ts";
import { hostedLayout } from "./hosted-layout.ts";
import type { HostedMachine, RunResult } from "./hosted-machine.ts";
import { HostedSandbox } from "./hosted-sandbox.ts";

const spec = { labels: {}, bundle: "/nowhere" };
const options = { spec, programs: "upload", directory: "/nowhere" } as const;

/** A machine that says of itself what it is told to. */
function machineThatSays(...lines: readonly string[]) {
  const done: string[] = [];
  const answer: RunResult = { code: 0, stdout: `${lines.join("\n")}\n`, stderr: "" };
  const machine: HostedMachine = {
    id: "m",
    status: async () => ({ state: "running" }),
    run: async () => answer,
    launch: async () => {},
    write: async () => void done.push("write"),
    endpoint: async () => ({ url: "http://nowhere.invalid", headers: {} }),
    extend: async () => {},
    destroy: async () => void done.push("destroy"),
  };
  return { machine, done };
}

test.each([
  ["none", []],
  ["one that is too old", ["node=v18.20.4"]],
  ["one that is a little too old", ["node=v20.18.1"]],
])("a machine of another kind with %s for a Node is told of, with what to do", async (_, lines) => {
  const { machine } = machineThatSays("arch=riscv64", "unpack=yes", ...lines);
  const bringing = bringIn(machine, { ...options, layout: hostedLayout("/root") });
  await expect(bringing).rejects.toThrow(
    /has no Node 20\.19 or newer.*\(linux riscv64 glibc\).*Use an image with Node/,
  );
});

test("what failed leaves no machine, and says why", async () => {
  const { machine, done } = machineThatSays("node=v22.0.0", "arch=x86_64");
  await expect(HostedSandbox.create(machine, { ...options, root: "/root" })).rejects.toThrow(/no tar and gzip/);
  expect(done).toEqual(["destroy"]);
});

test("what was aborted leaves no machine", async () => {
  const { machine, done } = machineThatSays("node=v22.0.0", "unpack=yes");
  const signal = AbortSignal.abort(new Error("given up"));
  await expect(HostedSandbox.create(machine, { ...options, root: "/root", signal })).rejects.toThrow("given up");
  expect(done).toEqual(["destroy"]);
});
