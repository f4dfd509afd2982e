import type { AgentAdapter, AgentHost } from "../../agent.ts";
import { hasCredentials } from "../../credentials/find-credentials.ts";
import { probeProgram } from "../../install/locate-program.ts";
import { refuseVariant } from "../../models/refuse-model.ts";
import { planLaunch } from "../../shared-server/launch.ts";
import { SharedServers } from "../../shared-server/shared-servers.ts";
import { listModels } from "./conversation.ts";
import { credentials } from "./credentials.ts";
import type { NativeAgent } from "./dialect.ts";
import { readModes } from "./modes.ts";
import { OpencodeSession } from "./opencode-session.ts";
import { program } from "./program.ts";
import { restoreConversation } from "./restore-conversation.ts";
import { planSessionLaunch } from "./server/launch.ts";
import { OpencodeServer } from "./server/opencode-server.ts";

/** OpenCode: one `opencode serve` carries all conversations, each is a session of it. */
export const adapter: AgentAdapter = createOpencodeAdapter();

function createOpencodeAdapter(): AgentAdapter {
  const servers = new SharedServers(OpencodeServer.start);

  async function ask<Answer>(host: AgentHost, question: (server: OpencodeServer) => Promise<Answer>): Promise<Answer> {
    const place = servers.borrow(host, await planLaunch(program, host, { env: {} }));
    try {
      return await question(await place.get());
    } finally {
      await servers.release(place);
    }
  }

  return {
    id: "opencode",
    displayName: "OpenCode",
    program,
    credentials,
    profile: { subagents: ["model"], lacks: { hooks: "OpenCode has plugins in JavaScript instead of hooks." } },
    permissionModes: ["default", "plan", "acceptEdits", "bypass"],
    unaskedKinds: [],
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
    probe: async (host) => ({
      ...(await probeProgram(program, host)),
      credentialsAvailable: await hasCredentials(credentials, host.env),
    }),
    modes: (host) =>
      ask(host, async (server) =>
        readModes(await server.request<NativeAgent[]>("GET", "/agent", { directory: host.dataDir })),
      ),
    models: (host) => ask(host, (server) => listModels(server, host.dataDir)),
    refuseModel: async (host, wish) =>
      wish.variant === undefined
        ? undefined
        : ask(host, async (server) => refuseVariant("OpenCode", await listModels(server, host.dataDir), wish)),
    restore: restoreConversation,
    async open(options) {
      const launch = await planSessionLaunch(options.host, options.session);
      const place = servers.borrow(options.host, launch);
      const session = new OpencodeSession(options, { place, ignored: launch.ignored }, () => servers.release(place));
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
