import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { AgentLogger } from "../agent.ts";
import type { AgentProcess, ProcessExit, SpawnOptions } from "./agent-process.ts";
import { DEFAULT_GRACE_MS, endFamily } from "./end-family.ts";
import { createProcessFamily } from "./process-family.ts";
import { createProcessGroup } from "./process-group.ts";
import { processMarkerVariable } from "./process-marker.ts";
import { createProcessOutput } from "./process-output.ts";
import type { ProcessInfo, ProcessTable } from "./process-table.ts";
import { createStderrTail } from "./stderr-tail.ts";
import { createStdinWriter, inputClosed } from "./stdin-writer.ts";

/** How long a descendant may hold the pipes open after the process itself has exited. */
const DRAIN_MS = 250;

export interface SpawnContext {
  readonly marker: string;
  readonly table: ProcessTable | null;
  readonly log: AgentLogger;
  /** Called once, right after the start and before any output. */
  onStarted(started: { pid: number; startTime: number | null }): void;
  /** Called when nothing of the process is left to be ended, as far as it is known without looking; maybe twice. */
  onGone(): void;
}

export function spawnProcess(options: SpawnOptions, context: SpawnContext): AgentProcess {
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(options.command, [...options.args], {
      cwd: options.cwd,
      env: { ...options.env, [processMarkerVariable]: context.marker },
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
  const family = createProcessFamily({ table: context.table, group, isMember });
  const closed = new AbortController();
  const stdin = createStdinWriter(child.stdin, label);
  const stderr = createStderrTail();
  const output = createProcessOutput(options, endForOutputError);
  let stopping: Promise<ProcessExit> | undefined;

  function isMember(process: ProcessInfo): boolean {
    return process.marker === context.marker || (process.groupId === pid && group.isHeld());
  }

  function endForOutputError(err: Error): void {
    context.log.error({ ...about, err }, "the output of an agent could not be taken; ending it");
    stop().catch((err) => context.log.error({ ...about, err }, "a process could not be ended"));
  }

  // The child is not reaped before the event loop turns, so this pid is still its own.
  context.onStarted({ pid, startTime: context.table?.startTime(pid) ?? null });
  child.stdout.on("data", output.push);
  child.stderr.on("data", stderr.push);
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.on("error", (err) => context.log.warn({ ...about, err }, "a pipe of an agent broke"));
  }

  const leaderExited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      group.leaderExited();
      if (!group.isHeld()) context.onGone();
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
