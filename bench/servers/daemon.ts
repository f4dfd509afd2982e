import { startDaemon } from "@sandbox-agent-ts/daemon";
import { createFakeAgent } from "@sandbox-agent-ts/testing";

const daemon = await startDaemon({
  version: "bench",
  host: "127.0.0.1",
  port: 0,
  token: null,
  cors: { origins: [], methods: [], headers: [], credentials: false },
  dataDir: process.argv[2]!,
  fsRoots: [],
  logLevel: "error",
  env: process.env,
  extraAgents: [createFakeAgent()],
});
process.once("SIGTERM", () => void daemon.close().then(() => process.exit(0)));
process.on("SIGUSR2", () => (globalThis as { gc?: () => void }).gc?.());
console.log(daemon.url);
