import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Daemon, type DaemonOptions, startDaemon } from "@sandbox-agent-ts/daemon";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { onTestFinished } from "vitest";

/** A daemon in this process that can be stopped and started again at the same address, and a client that counts. */
export interface TestDaemon {
  readonly client: SandboxAgent;
  /** What was asked for so far: methods and paths. */
  readonly requests: readonly string[];
  /** The paths, with their queries, of the event streams of sessions that were asked for so far. */
  readonly streams: readonly string[];
  /** How many of them are open. */
  openStreams(): number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startTestDaemon(): Promise<TestDaemon> {
  const dataDir = mkdtempSync(join(tmpdir(), "sandbox-agent-react-"));
  let daemon: Daemon | undefined = await startDaemon(options(dataDir, 0));
  const { port, url } = daemon;
  const stop = async () => {
    await daemon?.close();
    daemon = undefined;
  };
  onTestFinished(async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const requests: string[] = [];
  const streams: string[] = [];
  const signals: AbortSignal[] = [];
  const client = await SandboxAgent.connect({
    baseUrl: url,
    retries: 0,
    fetch: (input, init) => {
      const { pathname, search } = new URL(String(input));
      requests.push(`${init?.method ?? "GET"} ${pathname}`);
      if (/^\/v1\/sessions\/.*\/events\/sse$/.test(pathname) && init?.signal) {
        streams.push(pathname + search);
        signals.push(init.signal);
      }
      return fetch(input, init);
    },
  });
  return {
    client,
    requests,
    streams,
    openStreams: () => signals.filter(({ aborted }) => !aborted).length,
    stop,
    start: async () => {
      daemon = await startDaemon(options(dataDir, port));
    },
  };
}

function options(dataDir: string, port: number): DaemonOptions {
  return {
    version: "0.0.0-test",
    host: "127.0.0.1",
    port,
    token: null,
    cors: { origins: [], methods: [], headers: [], credentials: false },
    dataDir,
    fsRoots: [],
    logLevel: "silent",
    env: { PATH: process.env.PATH },
  };
}
