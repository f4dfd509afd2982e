import { type EventDraft, SandboxError } from "@sandbox-agent/protocol";
import type { SessionConfig } from "../../agent.ts";
import type { Skill } from "../../skills/prepare-skills.ts";
import type { NativeAgent, NativeProviders, PermissionRule } from "./dialect.ts";
import { chooseModel, type ModelChoice } from "./models.ts";
import { agentName, requireAgent } from "./modes.ts";
import { sessionRules } from "./permission-rules.ts";
import { RefusedRequest } from "./server/http-client.ts";
import type { McpLease } from "./server/mcp-servers.ts";
import type { OpencodeServer } from "./server/opencode-server.ts";

export interface LoadedConversation {
  readonly server: OpencodeServer;
  readonly sessionId: string;
  readonly agents: readonly NativeAgent[];
  readonly model: ModelChoice | undefined;
  readonly mcp: McpLease;
  /** The conversation that was to go on is not there any more; this is a new one. */
  readonly isReplacement: boolean;
}

/** Begins a conversation, or goes on with one. */
export async function loadConversation(
  server: OpencodeServer,
  known: string | undefined,
  session: SessionConfig,
  env: Readonly<Record<string, string>>,
): Promise<LoadedConversation> {
  const { directory } = session;
  const agents = await findAgents(server, session);
  const model = session.model === undefined ? undefined : await findModel(server, session.model, directory);
  const mcp = await server.mcp.lease(directory, session.mcp ?? {}, env);
  try {
    const isThere = known !== undefined && (await exists(server, known, directory));
    const sessionId = isThere ? known : await create(server, session);
    return { server, sessionId, agents, model, mcp, isReplacement: known !== undefined && !isThere };
  } catch (error) {
    await mcp.release();
    throw error;
  }
}

/** Throws when the one that the session wants is not among them. */
export async function findAgents(server: OpencodeServer, session: SessionConfig): Promise<readonly NativeAgent[]> {
  const agents = await server.request<NativeAgent[]>("GET", "/agent", { directory: session.directory });
  requireAgent(agents, agentName(session));
  return agents;
}

export async function findModel(server: OpencodeServer, model: string, directory: string): Promise<ModelChoice> {
  return chooseModel(model, await server.request<NativeProviders>("GET", "/config/providers", { directory }));
}

/** Those of the conversation now: other sessions in its directory may have brought MCP servers meanwhile. */
export function conversationRules(
  { server, agents, mcp }: LoadedConversation,
  session: SessionConfig,
  skills: readonly Skill[],
): PermissionRule[] {
  const { permission = [] } = requireAgent(agents, agentName(session));
  const names = server.mcp.namesFor(session.directory, mcp.names);
  return sessionRules(
    session.permissionMode,
    permission,
    names,
    skills.map(({ folder }) => folder),
  );
}

async function exists(server: OpencodeServer, sessionId: string, directory: string): Promise<boolean> {
  try {
    await server.request("GET", `/session/${sessionId}`, { directory });
    return true;
  } catch (error) {
    if (error instanceof RefusedRequest && (error.status === 404 || error.status === 400)) return false;
    throw error;
  }
}

/** With a title, so that no model is asked for one. */
async function create(server: OpencodeServer, { directory, sessionId }: SessionConfig): Promise<string> {
  const body = { title: sessionId };
  const { id } = await server.request<{ id?: string }>("POST", "/session", { directory, body });
  if (id === undefined) throw new SandboxError("stream_error", "OpenCode began a conversation without an id.");
  return id;
}

export function lostConversation(sessionId: string | undefined): EventDraft {
  const message =
    `OpenCode does not have the conversation ${sessionId} any more, so a new one was begun. ` +
    "What was said before has to be said again.";
  return { type: "error", data: { message, code: "conversation_lost" }, source: "daemon", synthetic: true };
}
