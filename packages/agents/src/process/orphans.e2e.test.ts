import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fakeAgentPath, isAlive, silentLog, startFakeAgent } from "./__fixtures__/fake-agent.ts";
import { processMarkerVariable } from "./process-marker.ts";
import { openProcessTable } from "./process-table.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";

const table = openProcessTable();
const owner = `orphans-${process.pid}`;
const buildDir = mkdtempSync(join(tmpdir(), "doomed-daemon-"));
const daemonPath = join(buildDir, "doomed-daemon.mjs");

let recordDir: string;
let supervisor: Supervisor;
let strangers: ChildProcess[];

beforeAll(async () => {
  const entry = fileURLToPath(new URL("./__fixtures__/doomed-daemon.ts", import.meta.url));
  await build({
    entryPoints: [entry],
    outfile: daemonPath,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@sandbox-agent-ts/source"],
  });
});
afterAll(() => rmSync(buildDir, { recursive: true }));

beforeEach(() => {
  recordDir = mkdtempSync(join(tmpdir(), "orphans-"));
  supervisor = createSupervisor({ recordDir, owner, log: silentLog });
  strangers = [];
});
afterEach(async () => {
  for (const stranger of strangers) stranger.kill("SIGKILL");
  await supervisor.close();
  rmSync(recordDir, { recursive: true });
});

async function killDaemon(): Promise<{ agent: number; grandchild: number }> {
  const daemon = spawn(process.execPath, [daemonPath, recordDir, owner, fakeAgentPath], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await once(daemon.stdout, "data");
  daemon.kill("SIGKILL");
  await once(daemon, "exit");
  return JSON.parse(String(output));
}

function startStranger(env: Record<string, string> = {}): number {
  const stranger = spawn("sleep", ["600"], { env: { PATH: process.env.PATH ?? "", ...env }, stdio: "ignore" });
  strangers.push(stranger);
  return stranger.pid ?? -1;
}

function writeRecord(pid: number, startTime: number | null): void {
  const marker = `${owner}:earlier.${pid}`;
  const record = { pid, startTime, bootId: table?.bootId, label: "recycled", marker };
  writeFileSync(join(recordDir, `${encodeURIComponent(marker)}.json`), JSON.stringify(record));
}

describe.runIf(table !== null)("after kill -9 of the daemon (needs /proc)", () => {
  test("the next one ends the agent and what it left, and clears the records", async () => {
    const orphans = await killDaemon();
    expect([isAlive(orphans.agent), isAlive(orphans.grandchild)]).toEqual([true, true]);
    expect(readdirSync(recordDir)).toHaveLength(1);
    const reaped = await supervisor.reapOrphans();
    expect(reaped.map((process) => process.pid).sort()).toEqual([orphans.agent, orphans.grandchild].sort());
    expect(reaped.every((process) => process.label === "doomed agent")).toBe(true);
    expect([isAlive(orphans.agent), isAlive(orphans.grandchild)]).toEqual([false, false]);
    expect(readdirSync(recordDir)).toEqual([]);
    expect(await supervisor.reapOrphans()).toEqual([]);
  });

  test("an agent that was not recorded yet, or whose record is torn, is found by its marker", async () => {
    const orphans = await killDaemon();
    for (const name of readdirSync(recordDir)) writeFileSync(join(recordDir, name), '{"pid":');
    await supervisor.reapOrphans();
    expect([isAlive(orphans.agent), isAlive(orphans.grandchild)]).toEqual([false, false]);
    expect(readdirSync(recordDir)).toEqual([]);
  });

  test("one in the group of a process on record is ended, also without its leader and its marker", async () => {
    const leader = spawn("sh", ["-c", "sleep 600 & echo $!"], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
    const startTime = table?.startTime(leader.pid!) ?? null;
    const [output] = await once(leader.stdout, "data");
    const member = Number(output);
    await once(leader, "exit");
    writeRecord(leader.pid!, startTime);
    await supervisor.reapOrphans();
    expect(isAlive(member)).toBe(false);
  });

  test("what a dead daemon without a successor left is ended by any other of the user", async () => {
    const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))![0];
    const marker = (pid: number, start: number | null | undefined) => `ephemeral:run~${pid}~${start}~${namespace}.1`;
    const left = startStranger({ [processMarkerVariable]: marker(999_999_999, 1) });
    const ofLiving = startStranger({ [processMarkerVariable]: marker(process.pid, table?.startTime(process.pid)) });
    const ofElsewhere = startStranger({ [processMarkerVariable]: "ephemeral:run~999999999~1~1.1" });
    await supervisor.reapOrphans();
    expect([left, ofLiving, ofElsewhere].map(isAlive)).toEqual([false, true, true]);
  });

  test("a process on record is ended by pid and start time alone", async () => {
    const withoutMarker = startStranger();
    writeRecord(withoutMarker, table?.startTime(withoutMarker) ?? null);
    expect(await supervisor.reapOrphans()).toMatchObject([{ pid: withoutMarker }]);
    expect(isAlive(withoutMarker)).toBe(false);
  });
});

test("a process that only has the pid of a record, or belongs to another daemon or to this one, is not touched", async () => {
  const recycled = startStranger();
  writeRecord(recycled, (table?.startTime(recycled) ?? 0) - 1);
  const elsewhere = startStranger({ [processMarkerVariable]: `other-${owner}:earlier.1` });
  const own = startFakeAgent(supervisor);
  await own.ask("hello");
  expect(await supervisor.reapOrphans()).toEqual([]);
  expect([recycled, elsewhere, own.process.pid].map(isAlive)).toEqual([true, true, true]);
  expect(readdirSync(recordDir)).toHaveLength(1);
});
