import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDaemon } from "@sandbox-agent-ts/daemon";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { onTestFinished } from "vitest";
import { buildUi, uiDirectory } from "../../../../scripts/setup.mjs";
import { type Play, playedAgent } from "./played-agent.ts";

interface PlayedDaemon {
  readonly client: SandboxAgent;
  /** The address of a session whose agent plays. */
  readonly sessionUrl: string;
  readonly directory: string;
}

/** A daemon in this process with one session, in which the play has been played. */
export async function playedDaemon(play: Play): Promise<PlayedDaemon> {
  await buildUi();
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-inspector-"));
  const daemon = await startDaemon({
    version: "0.1.0",
    host: "127.0.0.1",
    port: 0,
    token: null,
    cors: { origins: [], methods: [], headers: [], credentials: false },
    dataDir: null,
    fsRoots: [directory],
    logLevel: "silent",
    env: { PATH: process.env.PATH },
    ui: uiDirectory,
    extraAgents: [playedAgent(play)],
  });
  onTestFinished(async () => {
    await daemon.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const client = await SandboxAgent.connect({ baseUrl: daemon.url });
  await client.createSession("played", { agent: "played", directory });
  for await (const _ of client.streamTurn("played", { message: "play" }));
  return { client, directory, sessionUrl: `${daemon.url}/ui/#/sessions/played` };
}
