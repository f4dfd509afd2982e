import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { AgentLogger } from "../agent.ts";
import type { AgentProcess, ProcessExit, SpawnOptions } from "./agent-process.ts";
import { DEFAULT_GRACE_MS, endFamily } from "./end-family.ts";
import { type Cgroups, pidsOf, removeCgroup } from "./process-cgroup.ts";
import { createProcessFamily } from "./process-family.ts";
import { createProcessGroup } from "./process-group.ts";
import { processMarkerVariable } from "./process-marker.ts";
import { createProcessOutput } from "./process-output.ts";
import type { ProcessRecord } from "./process-records.ts";
import type { ProcessInfo, ProcessTable } from "./process-table.ts";
import { createStderrTail } from "./stderr-tail.ts";
import { createStdinWriter, inputClosed } from "./stdin-writer.ts";

/** How long a descendant may hold the pipes open after the process itself has exited. */
const DRAIN_MS = 250;

export interface SpawnContext {
  readonly marker: string;
  readonly table: ProcessTable | null;
  readonly cgroups: Cgroups;
  readonly log: AgentLogger;
  /** Called right after the start and before any output, and again when there are new strays. */
  onStarted(started: StartedProcess): void;
  /** Called when nothing of the process is left to be ended, as far as it is known without looking; maybe twice. */
  onGone(): void;
}

type StartedProcess = Pick<ProcessRecord, "pid" | "startTime" | "cgroup" | "strays">;

/** How often the processes of an agent that is at work are looked at. */
const LOOK_EVERY_MS = 1_000;

export function spawnProcess(options: SpawnOptions, context: SpawnContext): AgentProcess {
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(options.command, [...options.args], {
      cwd: options.cwd,
      env: { ...withoutOurs(options.env), [processMarkerVariable]: context.marker },
      detached: true,
      stdio: "pipe",
    });
  } catch (error) {
    return createFailedProcess(options.label, Promise.resolve(error as Error));
  }
  if (child.pid === undefined) {
    const spawnError = new Promise<Error>((resolve) => child.once("error", resolve));
    return createFailedProcess(options.label, spawnError);
  }
  return superviseChild(child, child.pid, options, context);
}

/** Addresses of a registry and of mirrors may hold passwords, and are for installing only. */
function withoutOurs(env: SpawnOptions["env"]): Record<string, string> {
  const { SANDBOX_AGENT_NPM_REGISTRY: _registry, SANDBOX_AGENT_MIRRORS: _mirrors, ...rest } = env;
  return rest;
}

/** A program that never ran. */
export function createFailedProcess(label: string, spawnError: Promise<Error>): AgentProcess {
  const stderr = createStderrTail().excerpt();
  const exited = spawnError.then((error) => ({ exitCode: null, signal: null, spawnError: error, stderr }));
  return {
    pid: -1,
    exited,
    writeLine: async () => {
      throw inputClosed(label, await spawnError);
    },
    endInput() {},
    stderr: () => stderr,
    stop: () => exited,
  };
}

function superviseChild(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  options: SpawnOptions,
  context: SpawnContext,
): AgentProcess {
  const { label, graceMs = DEFAULT_GRACE_MS } = options;
  const about = { label, pid };
  const group = createProcessGroup(pid);
  // The child is not reaped before the event loop turns, so this pid is still its own.
  const startTime = context.table?.startTime(pid) ?? null;
  const cgroup = context.cgroups.create(context.marker, pid);
  const family = createProcessFamily({ table: context.table, group, isMember, cgroup });
  const closed = new AbortController();
  const stdin = createStdinWriter(child.stdin, label);
  const stderr = createStderrTail();
  const output = createProcessOutput(options, endForOutputError);
  let stopping: Promise<ProcessExit> | undefined;

  function isMember(process: ProcessInfo): boolean {
    return (
      process.marker === context.marker || ((process.groupId === pid || process.sessionId === pid) && group.isHeld())
    );
  }

  /** Without a control group a process is lost that sheds marker and session and whose parent exits: it is noted before. */
  let lastLook = 0;
  let strayCount = 0;
  async function lookForStrays(): Promise<void> {
    lastLook = performance.now();
    const members = await family.look();
    const strays = members.filter((member) => member.marker !== context.marker && member.groupId !== pid);
    if (strays.length === strayCount) return;
    strayCount = strays.length;
    context.onStarted({ pid, startTime, cgroup, strays: strays.map(({ pid, startTime }) => ({ pid, startTime })) });
  }
  function onActivity(): void {
    if (cgroup !== null || context.table === null || performance.now() - lastLook < LOOK_EVERY_MS) return;
    lookForStrays().catch((err) => context.log.warn({ ...about, err }, "the processes of an agent cannot be read"));
  }

  function endForOutputError(err: Error): void {
    context.log.error({ ...about, err }, "the output of an agent could not be taken; ending it");
    stop().catch((err) => context.log.error({ ...about, err }, "a process could not be ended"));
  }

  context.onStarted({ pid, startTime, cgroup });
  child.stdout.on("data", (bytes: Buffer) => {
    onActivity();
    output.push(bytes);
  });
  child.stderr.on("data", stderr.push);
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.on("error", (err) => context.log.warn({ ...about, err }, "a pipe of an agent broke"));
  }

  const leaderExited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      group.leaderExited();
      if (!group.isHeld() && (cgroup === null || pidsOf(cgroup).size === 0)) {
        if (cgroup !== null) removeCgroup(cgroup);
        context.onGone();
      }
      void closePipesAfter(DRAIN_MS, child, closed.signal);
      resolve();
    });
  });

  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("close", (exitCode: number | null, signal: NodeJS.Signals | null) => {
      closed.abort();
      if (exitCode === 0) output.end();
      context.log.debug({ ...about, exitCode, signal }, "agent process exited");
      const outputError = output.error && { outputError: output.error };
      resolve({ exitCode, signal, stderr: stderr.excerpt(), ...outputError });
    });
  });

  async function endAll(): Promise<ProcessExit> {
    await endFamily(family, graceMs, leaderExited);
    if (cgroup !== null) removeCgroup(cgroup);
    context.onGone();
    return exited;
  }

  function stop(): Promise<ProcessExit> {
    stopping ??= endAll();
    return stopping;
  }

  return { pid, exited, writeLine: stdin.writeLine, endInput: stdin.end, stderr: stderr.excerpt, stop };
}

/** Without this a descendant that inherited the pipes would keep `close` from ever coming. */
async function closePipesAfter(ms: number, child: ChildProcessWithoutNullStreams, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
    // A busy daemon may come here before it has read at all: one more look at the pipes lies between timers and this.
    await setImmediate(undefined, { signal });
    child.stdout.destroy();
    child.stderr.destroy();
  } catch {
    // Closed by themselves, as they should.
  }
}
