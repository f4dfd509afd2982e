import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createAgentRuntime, MemoryRuntimeStore, openProvider, serveRuntime } from "@sandbox-agent-ts/runtime";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";

const cli = createRequire(import.meta.url).resolve("@sandbox-agent-ts/cli/package.json");
/** What agents are given of this environment: the keys of models, and nothing else. */
const isForAgents = ([name]: [string, unknown]) => /^(ANTHROPIC|OPENAI|GEMINI)_/.test(name);

/** A runtime in this process that makes sandboxes with a provider, and a client for it. */
export async function startRuntime(provider: string, settings: Record<string, unknown> = {}) {
  const directory = resolve("data");
  const runtime = await createAgentRuntime({
    // Forgotten when the process ends. An application keeps its sessions: openSqliteStore("data/runtime.db").
    store: new MemoryRuntimeStore(),
    secretKey: randomBytes(32).toString("hex"),
    provider: await openProvider(provider, { directory, settings }),
    bundle: join(cli, "../dist"),
    programsDir: join(directory, "agents"),
    agentEnv: Object.fromEntries(Object.entries(process.env).filter(isForAgents)) as Record<string, string>,
  });
  const cors = { origins: [], methods: [], headers: [], credentials: false };
  const gateway = await serveRuntime(runtime, { version: "1.0.0", host: "127.0.0.1", port: 0, cors });
  const { key } = await runtime.keys.create({ name: "example" });
  return {
    client: await SandboxAgent.connect({ baseUrl: gateway.url, token: key }),
    async close() {
      await gateway.close();
      await runtime.close();
    },
  };
}
