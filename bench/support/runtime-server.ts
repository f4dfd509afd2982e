import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createLocalProvider } from "@sandbox-agent-ts/runtime";
import { type ChildServer, startServer, temporaryDirectory } from "./child-server.ts";
import { setToken } from "./http-client.ts";

const key = "sak_for-benchmarks-only";
/** So that memory can be measured without its garbage. */
const collectOnSignal = "data:text/javascript,process.on('SIGUSR2',()=>globalThis.gc())";

export interface RuntimeServer extends ChildServer {
  /** Start another on what it has stored, after its end; its sandboxes go on meanwhile. */
  again(): Promise<RuntimeServer>;
  /** A folder for each of its sandboxes. */
  readonly sandboxesDir: string;
  /** End it and its sandboxes, and remove what it stored. */
  remove(): Promise<void>;
}

/** Our runtime as users start it, on SQLite, with local sandboxes that are not isolated. */
export async function startRuntime(
  options: { readonly poolSize?: number; readonly dataDir?: string; readonly onLog?: (line: string) => void } = {},
): Promise<RuntimeServer> {
  const { poolSize = 0, dataDir = temporaryDirectory(), onLog } = options;
  const level = onLog ? "debug" : "error";
  const flags = ["--port", "0", "--isolation", "none", "--pool-size", String(poolSize), "--log-level", level];
  const node = [process.execPath, "--expose-gc", "--import", collectOnSignal];
  const command = [...node, process.env.SANDBOX_AGENT_CLI!, "runtime", "--data-dir", dataDir, ...flags];
  const server = await startServer(command, undefined, { SANDBOX_AGENT_RUNTIME_KEY: key }, onLog);
  const sandboxesDir = join(dataDir, "runtime", "sandboxes");
  setToken(server.url, key);
  return {
    ...server,
    sandboxesDir,
    again: () => startRuntime({ ...options, dataDir }),
    remove: async () => {
      await server.stop();
      const provider = createLocalProvider({ root: sandboxesDir });
      for (const id of readdirSync(sandboxesDir)) await (await provider.attach(id))?.destroy();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
