import { hookEvents } from "@sandbox-agent-ts/protocol";
import type { AgentAdapter, AgentHost } from "../../agent.ts";
import { hasCredentials } from "../../credentials/find-credentials.ts";
import { probeProgram } from "../../install/locate-program.ts";
import { refuseVariant } from "../../models/refuse-model.ts";
import { restoreFiles } from "../../restore/restore-files.ts";
import { planLaunch } from "../../shared-server/launch.ts";
import { SharedServers } from "../../shared-server/shared-servers.ts";
import { CodexSession } from "./codex-session.ts";
import { codexHome, credentials } from "./credentials.ts";
import type { CodexModel } from "./dialect.ts";
import { hasKeyringLogin } from "./keyring-login.ts";
import { readModels } from "./models.ts";
import { program } from "./program.ts";
import { AppServer } from "./server/app-server.ts";
import { processEnvironment } from "./server/launch.ts";
import { writeTranscript } from "./write-transcript.ts";

const MODELS_TIMEOUT_MS = 10_000;

/** OpenAI Codex: one `codex app-server` carries all conversations, each is a thread of it. */
export const adapter: AgentAdapter = createCodexAdapter();

function createCodexAdapter(): AgentAdapter {
  const servers = new SharedServers(AppServer.start);

  async function listModels(host: AgentHost): Promise<readonly CodexModel[]> {
    const place = servers.borrow(host, await planLaunch(program, host, { env: {} }));
    try {
      const server = await place.get();
      const options = { timeoutMs: MODELS_TIMEOUT_MS };
      return (await server.request<{ data?: CodexModel[] }>("model/list", {}, options)).data ?? [];
    } finally {
      await servers.release(place);
    }
  }

  return {
    id: "codex",
    displayName: "Codex",
    program,
    credentials,
    profile: { subagents: ["model"], hooks: hookEvents },
    permissionModes: ["default", "plan", "acceptEdits", "bypass"],
    capabilities: {
      planMode: true,
      permissions: true,
      questions: true,
      toolCalls: true,
      toolResults: true,
      textMessages: true,
      images: true,
      fileAttachments: true,
      sessionLifecycle: true,
      errorEvents: true,
      reasoning: true,
      status: true,
      commandExecution: true,
      fileChanges: true,
      mcpTools: true,
      streamingDeltas: true,
      itemStarted: true,
      sharedProcess: true,
    },
    async probe(host) {
      const found = await probeProgram(program, host);
      const { path } = found;
      const isSignedIn =
        (await hasCredentials(credentials, host.env)) || (path !== undefined && hasKeyringLogin(host, path));
      return { ...found, credentialsAvailable: await isSignedIn };
    },
    modes: async () => [
      { id: "build", name: "Build", description: "Does what the message says" },
      { id: "plan", name: "Plan", description: "Asks, looks around and proposes a plan; a person approves it" },
    ],
    models: async (host) => readModels(await listModels(host)),
    refuseModel: async (host, wish) =>
      wish.variant === undefined ? undefined : refuseVariant("Codex", readModels(await listModels(host)), wish),
    async restore(options) {
      const { host, session } = options;
      const root = codexHome(await processEnvironment(await planLaunch(program, host, session), host.dataDir));
      return restoreFiles(options, writeTranscript, { root, folder: "sessions" });
    },
    async open(options) {
      const launch = await planLaunch(program, options.host, options.session);
      const place = servers.borrow(options.host, launch);
      const session = new CodexSession(options, place, () => servers.release(place));
      try {
        await session.check();
        return session;
      } catch (error) {
        await session.close();
        throw error;
      }
    },
    serverStatus: () => servers.status(),
    close: () => servers.close(),
  };
}
