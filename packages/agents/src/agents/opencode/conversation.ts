import { type AgentModelsResponse, SandboxError } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../../agent.ts";
import { refuseVariant } from "../../models/refuse-model.ts";
import type { Skill } from "../../skills/prepare-skills.ts";
import type { NativeAgent, NativeModel, NativeProviders, PermissionRule } from "./dialect.ts";
import { chooseModel, hasModel, type ModelChoice, readModels } from "./models.ts";
import { agentName, isPlanning, requireAgent } from "./modes.ts";
import { askedSubagents, sessionRules } from "./permission-rules.ts";
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
  const before = known === undefined ? undefined : await find(server, known, directory);
  const model = await findModel(server, session, before?.model);
  const mcp = await server.mcp.lease(directory, session.mcp ?? {}, env);
  try {
    const sessionId = before && known !== undefined ? known : await create(server, session);
    return { server, sessionId, agents, model, mcp, isReplacement: known !== undefined && !before };
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

/** The session's; else OpenCode chooses, unless it would choose the one of before and that is not there any more. */
async function findModel(server: OpencodeServer, session: SessionConfig, before: NativeModel | undefined) {
  const { model, variant, directory } = session;
  if (variant !== undefined) await requireVariant(server, session);
  if (model === undefined && before === undefined) return undefined;
  const providers = await server.request<NativeProviders>("GET", "/config/providers", { directory });
  if (model !== undefined) return chooseModel(model, providers);
  if (hasModel(providers, before) && !session.usesOwnModel) return undefined;
  const config = await server.request<{ model?: string }>("GET", "/config", { directory });
  const { defaultModel } = readModels(providers, config.model);
  return defaultModel === undefined ? undefined : chooseModel(defaultModel, providers);
}

/** Models are told for a directory, whose own config may name more. */
export async function listModels(server: OpencodeServer, directory: string): Promise<AgentModelsResponse> {
  const providers = await server.request<NativeProviders>("GET", "/config/providers", { directory });
  const { model } = await server.request<{ model?: string }>("GET", "/config", { directory });
  return readModels(providers, model);
}

/** OpenCode itself ignores a variant that it does not have. */
async function requireVariant(server: OpencodeServer, session: SessionConfig): Promise<void> {
  const models = await listModels(server, session.directory);
  const refusal = refuseVariant("OpenCode", models, session);
  if (refusal) throw new SandboxError("mode_not_supported", refusal.message, { agent: "opencode" });
}

export function conversationRules(
  { agents, mcp }: LoadedConversation,
  session: SessionConfig,
  skills: readonly Skill[],
): PermissionRule[] {
  const { permission = [] } = requireAgent(agents, agentName(session));
  const rules = sessionRules(isPlanning(session) ? "plan" : session.permissionMode, permission, mcp.names, {
    readable: skills.map(({ folder }) => folder),
    asksEverything: session.asksEverything === true,
  });
  return isPlanning(session) ? [...rules, ...askedSubagents(rules, agents)] : rules;
}

async function find(
  server: OpencodeServer,
  sessionId: string,
  directory: string,
): Promise<{ readonly model?: NativeModel } | undefined> {
  try {
    return await server.request<{ model?: NativeModel }>("GET", `/session/${sessionId}`, { directory });
  } catch (error) {
    if (error instanceof RefusedRequest && (error.answered === 404 || error.answered === 400)) return undefined;
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
