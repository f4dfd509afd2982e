import { onTestFinished } from "vitest";
import { startDaemon } from "../daemon.ts";
import type { Daemon, DaemonOptions } from "../daemon-options.ts";
import { Client } from "./client.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { testOptions } from "./test-options.ts";

export interface TestDaemon extends Daemon {
  readonly dataDir: string;
  readonly client: Client;
}

/** A daemon in this process, with a data directory of its own unless one is given, closed when the test is over. */
export async function startTestDaemon(options: Partial<DaemonOptions> = {}): Promise<TestDaemon> {
  const dataDir = options.dataDir ?? temporaryDirectory();
  const daemon = await startDaemon(testOptions({ ...options, dataDir }));
  onTestFinished(() => daemon.close());
  return { ...daemon, dataDir, client: new Client(daemon.url, options.token ?? null) };
}
