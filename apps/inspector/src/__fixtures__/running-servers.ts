import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { RunningDaemon } from "./running-daemon.ts";
import { RunningRuntime } from "./running-runtime.ts";

export interface RunningServer {
  /** What a person opens: the page, and the token with it. */
  readonly link: string;
  readonly client: SandboxAgent;
  /** Where sessions work. */
  readonly directory: string;
}

/**
 * What the inspector may be the window of. Tests that are about one of them only, or about nothing but the page, start it
 * themselves: a killed daemon, its damaged files, its token that changes; a phone; what an agent in this process says.
 */
export const runningServers: readonly (readonly [kind: string, start: () => Promise<RunningServer>])[] = [
  ["a daemon", () => RunningDaemon.start()],
  ["a runtime", () => RunningRuntime.start("none")],
];
