import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processStartTime } from "@sandbox-agent-ts/agents/process-identity";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeRunRecord, runningDaemon, writeRunRecord } from "./run-record.ts";
import { stopBackground } from "./stop-background.ts";

let dataDir: string;
const file = (): string => join(dataDir, "daemon.json");

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "run-record-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function ownRecord() {
  return { pid: process.pid, startTime: processStartTime(process.pid) ?? "", url: "http://127.0.0.1:1", token: "T" };
}

describe("the record of a running daemon", () => {
  it("is found while its process lives, and only its owner can read it", () => {
    writeRunRecord(dataDir, ownRecord());
    expect(runningDaemon(dataDir)).toEqual(ownRecord());
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it("is not believed when the pid now belongs to another process", () => {
    writeRunRecord(dataDir, { ...ownRecord(), startTime: "1" });
    expect(runningDaemon(dataDir)).toBeUndefined();
  });

  it("is not believed after the process has ended", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    writeRunRecord(dataDir, { ...ownRecord(), pid, startTime: processStartTime(pid) ?? "" });
    expect(runningDaemon(dataDir)?.pid).toBe(pid);
    child.stdin.end();
    await once(child, "exit");
    expect(runningDaemon(dataDir)).toBeUndefined();
  });

  it.each(["", "{", "null", '{"pid":"1"}', '{"pid":0,"startTime":"","url":""}', '{"pid":-5,"startTime":"","url":""}'])(
    "is not believed when it is %j",
    (text) => {
      writeFileSync(file(), text);
      expect(runningDaemon(dataDir)).toBeUndefined();
    },
  );

  it("is removed only by the daemon that wrote it", () => {
    writeRunRecord(dataDir, ownRecord());
    removeRunRecord(dataDir, process.pid + 1);
    expect(readFileSync(file(), "utf8")).toContain("127.0.0.1");
    removeRunRecord(dataDir, process.pid);
    expect(runningDaemon(dataDir)).toBeUndefined();
  });
});

describe("stopping", () => {
  it("says that nothing runs, and signals nobody, when the record is of an earlier process", async () => {
    writeRunRecord(dataDir, { ...ownRecord(), startTime: "1" });
    expect(await stopBackground(dataDir)).toEqual({ outcome: "not running" });
  });

  it("kills a process that ignores SIGTERM", async () => {
    const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")';
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;
    writeRunRecord(dataDir, { ...ownRecord(), pid, startTime: processStartTime(pid) ?? "" });
    const exited = once(child, "exit");
    expect(await stopBackground(dataDir, 100)).toEqual({ pid, outcome: "killed" });
    expect(await exited).toEqual([null, "SIGKILL"]);
  });
});
