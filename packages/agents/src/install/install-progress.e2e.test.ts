/** Feared: a bar that stands still, jumps back, or says nothing of what is going on. */
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InstallerWorld, packageName, toolFiles, toolProgram } from "./__fixtures__/installer-world.ts";
import { withInstallLock } from "./install-lock.ts";
import type { InstallProgress } from "./install-progress.ts";

const filler = Array.from({ length: 20_000 }, (_, line) => `${line} ${Math.sin(line)}`).join("\n");

function stepsOf(reports: readonly InstallProgress[]): string[] {
  return reports.map(({ step }) => step).filter((step, index, all) => step !== all[index - 1]);
}

test("tells every step once, and the bytes of download and unpacking up to their total", async () => {
  const world = await InstallerWorld.create([]);
  await world.publish({ ...toolFiles("1.0.0"), filler });
  const reports: InstallProgress[] = [];
  const { artifacts } = await world.install({ onProgress: (report) => reports.push(report) });
  expect(stepsOf(reports)).toEqual(["registry", "resolve", "download", "unpack", "verify"]);
  expect(new Set(reports.map(({ program, version }) => `${program} ${version}`))).toEqual(new Set(["tool 1.0.0"]));
  const size = artifacts[0]?.downloadedBytes;
  for (const step of ["download", "unpack"]) {
    const bytes = reports.filter((report) => report.step === step).map((report) => report.bytes!);
    expect(bytes).toEqual([...bytes].sort((a, b) => a - b));
    expect(bytes.at(-1)).toBe(size);
    const totals = reports.filter((report) => report.step === step).map(({ total, package: name }) => [total, name]);
    expect(new Set(totals.map(String))).toEqual(new Set([`${size},${packageName}@1.0.0`]));
  }
});

test("from the cache: nothing is downloaded, and nothing of a download is told", async () => {
  const world = await InstallerWorld.create();
  await world.install();
  const reports: InstallProgress[] = [];
  await world.install({ reinstall: true, onProgress: (report) => reports.push(report) });
  expect(stepsOf(reports)).toEqual(["registry", "resolve", "unpack", "verify"]);
});

test("a download that is tried again begins at 0", async () => {
  const world = await InstallerWorld.create([]);
  await world.publish({ ...toolFiles("1.0.0"), filler });
  world.registry.intercept = ({ kind }, response: ServerResponse) => {
    if (kind !== "archive") return undefined;
    world.registry.intercept = undefined;
    response.writeHead(200, { "content-length": 100_000 });
    response.write("half", () => response.destroy());
    return true;
  };
  const reports: InstallProgress[] = [];
  await world.install({ onProgress: (report) => reports.push(report) });
  expect(reports.filter(({ step, bytes }) => step === "download" && bytes === 0)).toHaveLength(2);
});

test("whoever joins an installation that runs is told as well", async () => {
  const world = await InstallerWorld.create();
  const reports: InstallProgress[][] = [[], []];
  await Promise.all(reports.map((mine) => world.install({ onProgress: (report) => mine.push(report) })));
  expect(stepsOf(reports[1]!)).toContain("verify");
  expect(world.registry.count("archive")).toBe(1);
});

test("a wait for another process is told", async () => {
  const world = await InstallerWorld.create();
  await mkdir(join(world.installRoot, "tool"), { recursive: true });
  const signal = new EventTarget();
  const waits = once(signal, "wait");
  let installing: Promise<unknown> | undefined;
  await withInstallLock(join(world.installRoot, "tool", "install.lock"), async () => {
    installing = world.install({
      onProgress: ({ step }) => step === "wait" && signal.dispatchEvent(new Event("wait")),
    });
    await waits;
  });
  await installing;
});

test("what a program needs is told under its own name", async () => {
  const world = await InstallerWorld.create();
  const need = toolProgram();
  const reports: InstallProgress[] = [];
  const { artifacts } = await world.install(
    { onProgress: (report) => reports.push(report) },
    { ...toolProgram(), name: "bridge", needs: [need] },
  );
  expect(artifacts.map(({ program }) => program)).toEqual(["bridge", "tool"]);
  expect([...new Set(reports.map(({ program }) => program))]).toEqual(["bridge", "tool"]);
});
