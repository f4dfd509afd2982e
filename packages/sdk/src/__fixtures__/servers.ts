import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildCli, cliBundle } from "../../../../scripts/setup.mjs";
import { TestProcesses } from "../../../testing/src/__fixtures__/test-processes.ts";
import { SandboxAgent } from "../client.ts";

export interface Server {
  readonly client: SandboxAgent;
  /** Ends it with everything it started. */
  end(): Promise<void>;
}

const key = "sak_of-the-sdk-tests";

/** What a client of this package may talk to: one daemon, or a runtime with a daemon in each sandbox. */
export const servers: Readonly<Record<string, (home: string) => Promise<Server>>> = {
  "a daemon": async (home) => {
    const env = { HOME: home, XDG_DATA_HOME: undefined, SANDBOX_AGENT_DATA_DIR: undefined };
    const client = await SandboxAgent.start({ spawn: { binaryPath: cliBundle, env } });
    return { client, end: () => client.dispose() };
  },
  "a runtime": async (home) => {
    const flags = ["runtime", "--port", "0", "--isolation", "none", "--log-level", "error", "--data-dir", home];
    const processes = new TestProcesses();
    // What sandboxes are given and names no host: by this they are found, and end with the test or whoever runs it.
    const mark = `${processes.mark}.invalid`;
    const env = { HOME: home, PATH: process.env.PATH, SANDBOX_AGENT_RUNTIME_KEY: key, NO_PROXY: mark };
    const child = processes.spawn(process.execPath, [cliBundle, ...flags], { env });
    child.stderr.pipe(process.stderr);
    const client = await SandboxAgent.connect({ baseUrl: await printedUrl(child.stdout), token: key });
    const end = async () => {
      // A sandbox outlives its runtime, and ends with its session.
      for await (const { sessionId } of client.iterateSessions()) await client.deleteSession(sessionId);
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      await processes.end();
    };
    return { client, end };
  },
};

/** A server of this kind in a home of its own, which goes with it. */
export async function startServer(kind: string): Promise<Server & { readonly home: string }> {
  await buildCli();
  const home = mkdtempSync(join(tmpdir(), "sandbox-agent-sdk-"));
  const { client, end } = await servers[kind]!(home);
  return {
    home,
    client,
    end: async () => {
      await end();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function printedUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, url] = /URL\s+(\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    output.resume();
    return url;
  }
  throw new Error("The runtime ended before it listened.");
}
