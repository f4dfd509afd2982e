import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tryProcessLock } from "@sandbox-agent-ts/agents/process-identity";
import { pack } from "tar-stream";
import {
  defaultSocket,
  engineLog,
  engineVariable,
  hasDockerd,
  socketOf,
  startEngine,
} from "../../../../../../scripts/docker-engine.mjs";
import { DockerEngine } from "../docker-engine.ts";
import { engineAddress } from "../engine-address.ts";

/** An engine for tests, with an image in which the programs of this machine are. */
export interface TestEngine {
  /** As `DOCKER_HOST` names it. */
  readonly host: string;
  readonly engine: DockerEngine;
  /** Whether it was started for this run and may be ended by a test. */
  readonly isOwn: boolean;
}

/** An image without anything but directories; what it needs of this machine is mounted. */
export const baseImage = "sandbox-agent-test-base:latest";
export const baseMounts = { "/usr": "/usr" };

const patienceMs = 60_000;
const lookEveryMs = 50;

/** The engine of this run, started by whoever asks first; or why there is none, for the titles of tests. */
export async function testEngine(): Promise<TestEngine | { readonly problem: string }> {
  const given = process.env.DOCKER_HOST || `unix://${defaultSocket}`;
  const foreign = await reach(given, false);
  if (foreign) return tried(foreign);
  const directory = process.env[engineVariable];
  if (directory === undefined) return { problem: "no engine answers, and none is started outside of `npm test`" };
  if (!hasDockerd()) return { problem: "no Docker engine answers and Debian's package docker.io is not installed" };
  if (process.getuid?.() !== 0) return { problem: "no Docker engine answers and only root can start one" };
  return exclusively(directory, async () => {
    const host = `unix://${socketOf(directory)}`;
    if (!existsSync(directory)) startEngine(directory, Number(/engine-(\d+)$/.exec(directory)![1]));
    const own = await untilReached(host);
    if (own) return tried(own);
    return { problem: `dockerd does not start here: ${lastLine(engineLog(directory))}` };
  });
}

/** One more, which a test has started and may end. */
export async function engineIn(directory: string): Promise<TestEngine> {
  const own = await untilReached(`unix://${socketOf(directory)}`);
  if (!own) throw new Error(`dockerd did not start: ${engineLog(directory)}`);
  await ensureBaseImage(own.engine);
  return own;
}

/** The process of an engine that was started for tests. */
export function enginePid(directory: string): number {
  return Number(readFileSync(join(directory, "dockerd.pid"), "utf8"));
}

async function untilReached(host: string): Promise<TestEngine | undefined> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(lookEveryMs)) {
    const own = await reach(host, true);
    if (own) return own;
  }
  return undefined;
}

async function reach(host: string, isOwn: boolean): Promise<TestEngine | undefined> {
  const engine = new DockerEngine(engineAddress(host));
  try {
    await engine.call("GET", "/_ping");
    return { host, engine, isOwn };
  } catch {
    engine.close();
    return undefined;
  }
}

/** A kernel may lack what containers need, however well the engine answers. */
async function tried(found: TestEngine): Promise<TestEngine | { readonly problem: string }> {
  const { engine } = found;
  try {
    await ensureBaseImage(engine);
    const body = {
      Image: baseImage,
      Cmd: ["/usr/bin/true"],
      HostConfig: { Binds: ["/usr:/usr:ro"], Memory: 64 * 1024 * 1024, ReadonlyRootfs: true, Init: true },
    };
    const { Id } = await engine.call<{ Id: string }>("POST", "/containers/create", { body });
    try {
      await engine.call("POST", `/containers/${Id}/start`);
      const { StatusCode } = await engine.call<{ StatusCode: number }>("POST", `/containers/${Id}/wait`);
      if (StatusCode !== 0) throw new Error(`a container ended with ${StatusCode}`);
    } finally {
      await engine.call("DELETE", `/containers/${Id}`, { query: { force: true } });
    }
    return found;
  } catch (error) {
    return { problem: `the Docker engine here cannot run containers: ${lastLine((error as Error).message)}` };
  }
}

async function ensureBaseImage(engine: DockerEngine): Promise<void> {
  if (await engine.find("GET", `/images/${baseImage}/json`)) return;
  const archive = pack();
  for (const name of ["usr", "tmp", "etc", "proc", "sys", "dev", "run", "opt", "home", "var", "sbin"]) {
    archive.entry({ name, type: "directory", mode: name === "tmp" ? 0o1777 : 0o755 });
  }
  for (const name of ["bin", "lib", "lib64"]) {
    archive.entry({ name, type: "symlink", linkname: `usr/${name}` });
  }
  archive.entry(
    { name: "etc/passwd" },
    "root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000:agent:/sandbox/home:/bin/sh\n",
  );
  archive.entry({ name: "etc/group" }, "root:x:0:\nagent:x:1000:\n");
  archive.finalize();
  const [repo, tag] = baseImage.split(":") as [string, string];
  await engine.call("POST", "/images/create", { query: { fromSrc: "-", repo, tag }, archive });
}

/** Test files run at once, in processes of their own. */
async function exclusively<T>(directory: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(join(directory, ".."), { recursive: true });
  for (;;) {
    const attempt = tryProcessLock(join(directory, "..", "lock"));
    if ("release" in attempt) {
      try {
        return await work();
      } finally {
        attempt.release();
      }
    }
    await sleep(lookEveryMs);
  }
}

const lastLine = (text: string) => text.trim().split("\n").at(-1) ?? "";
