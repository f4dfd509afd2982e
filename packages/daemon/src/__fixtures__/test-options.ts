import { createFakeAgent } from "@sandbox-agent-ts/testing";
import type { DaemonOptions } from "../daemon-options.ts";

export const testToken = "the-token-of-the-test";

/** A daemon for tests: on a free local port, quiet, with the fake agent beside the mock. */
export function testOptions(options: Partial<DaemonOptions>): DaemonOptions {
  return {
    version: "0.0.0-test",
    host: "127.0.0.1",
    port: 0,
    token: null,
    cors: { origins: [], methods: [], headers: [], credentials: false },
    dataDir: null,
    fsRoots: [],
    logLevel: "silent",
    env: { PATH: process.env.PATH },
    ...options,
    extraAgents: [createFakeAgent({ graceMs: 500 }), ...(options.extraAgents ?? [])],
  };
}
