import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { OpenOptions } from "../../agent.ts";
import { JsonRpcError } from "../../json-rpc/json-rpc-error.ts";
import type { CodexModel } from "./dialect.ts";
import { hookTrust } from "./hook-trust.ts";
import type { AppServer } from "./server/app-server.ts";
import { hooksOf } from "./thread-settings.ts";

const LOAD_TIMEOUT_MS = 60_000;
const UNLOAD_TIMEOUT_MS = 2_000;

export interface LoadedThread {
  readonly server: AppServer;
  readonly threadId: string;
  readonly model: string;
  /** The conversation that was to go on is not there any more; this is a new one. */
  readonly isReplacement: boolean;
}

interface ThreadAnswer {
  readonly thread?: { readonly id?: string };
  readonly model?: string;
}

/** Begins a thread, or goes on with one. */
export async function loadThread(
  server: AppServer,
  threadId: string | undefined,
  params: object,
  session: OpenOptions["session"],
): Promise<LoadedThread> {
  try {
    const begun = withConfig(params, {
      ...(await askingServers(server, session)),
      ...(await trusted(server, session)),
    });
    const own = session.usesOwnModel ? { model: await ownModel(server) } : {};
    const resumed = threadId === undefined ? undefined : await resume(server, threadId, { ...begun, ...own });
    const answer = resumed ?? (await request(server, "thread/start", begun));
    const id = answer.thread?.id ?? threadId;
    if (id === undefined) throw new SandboxError("stream_error", "Codex began a conversation without an id.");
    const isReplacement = threadId !== undefined && resumed === undefined;
    return { server, threadId: id, model: answer.model ?? session.model ?? "", isReplacement };
  } catch (error) {
    throw error instanceof JsonRpcError ? loadError(error, session.sessionId) : error;
  }
}

/** The servers of the user's own config ask about every tool as well, also about one that calls itself read-only. */
async function askingServers(server: AppServer, { asksEverything }: OpenOptions["session"]): Promise<object> {
  const names = asksEverything ? await ownServers(server) : [];
  return Object.fromEntries(names.map((name) => [`mcp_servers.${name}.default_tools_approval_mode`, "prompt"]));
}

/** Hooks of a profile have been reviewed by whoever wrote it. */
async function trusted(server: AppServer, session: OpenOptions["session"]): Promise<object> {
  return session.hooks ? hookTrust(server, hooksOf(session), await ownServers(server)) : {};
}

async function ownServers(server: AppServer): Promise<string[]> {
  return Object.keys((await readConfig(server)).mcp_servers ?? {});
}

function withConfig(params: { readonly config?: object }, more: object): object {
  return { ...params, config: { ...more, ...params.config } };
}

/** Ends all that belongs to a thread: what still runs, its MCP servers, its place in memory. It can be resumed. */
export async function unloadThread({ server, threadId }: LoadedThread): Promise<void> {
  const options = { timeoutMs: UNLOAD_TIMEOUT_MS };
  // There is no way to close a thread but to archive it.
  await server.request("thread/archive", { threadId }, options);
  await server.request("thread/unarchive", { threadId }, options);
}

async function resume(server: AppServer, threadId: string, params: object): Promise<ThreadAnswer | undefined> {
  const again = (more: object = {}) => {
    return request(server, "thread/resume", { ...params, threadId, excludeTurns: true, ...more });
  };
  try {
    return await again();
  } catch (error) {
    if (isOfAnotherProvider(error)) return again({ modelProvider: await configuredProvider(server) });
    if (!isMissing(error)) throw error;
  }
  // A daemon that was killed while it let go of the thread has left it archived.
  const unarchived = await request(server, "thread/unarchive", { threadId }).catch(() => undefined);
  return unarchived && again();
}

/** A conversation written elsewhere, or before the user's config changed, goes on with the provider there is now. */
function isOfAnotherProvider(error: unknown): boolean {
  return error instanceof JsonRpcError && /model provider|current provider/i.test(error.message);
}

/** The model of a thread that is begun without one. */
async function ownModel(server: AppServer): Promise<string | undefined> {
  const { model } = await readConfig(server);
  if (model) return model;
  const { data = [] } = await server.request<{ data?: CodexModel[] }>("model/list", {}, { timeoutMs: LOAD_TIMEOUT_MS });
  return data.find(({ isDefault }) => isDefault)?.id;
}

interface CodexConfig {
  readonly model?: string | null;
  readonly model_provider?: string | null;
  readonly mcp_servers?: object | null;
}

async function readConfig(server: AppServer): Promise<CodexConfig> {
  return (await server.request<{ config?: CodexConfig }>("config/read", {})).config ?? {};
}

async function configuredProvider(server: AppServer): Promise<string> {
  return (await readConfig(server)).model_provider ?? "openai";
}

function request(server: AppServer, method: string, params: object): Promise<ThreadAnswer> {
  return server.request<ThreadAnswer>(method, params, { timeoutMs: LOAD_TIMEOUT_MS });
}

function isMissing(error: unknown): boolean {
  return error instanceof JsonRpcError && /no rollout found|not found|archived/i.test(error.message);
}

function loadError(error: JsonRpcError, sessionId: string): SandboxError {
  const context = { agent: "codex", sessionId, cause: error };
  if (/already has an active writer/.test(error.message)) {
    const message = "This conversation is open in another Codex. Close it there and send the message again.";
    return new SandboxError("stream_error", message, context);
  }
  return new SandboxError("invalid_request", `Codex cannot begin the conversation: ${error.message}`, context);
}
