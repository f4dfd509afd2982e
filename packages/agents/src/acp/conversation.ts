import { SandboxError } from "@sandbox-agent-ts/protocol";
import { JsonRpcError } from "../json-rpc/json-rpc-error.ts";
import type { AcpAgent, AcpPlace } from "./acp-agent.ts";
import type { AcpConnection } from "./acp-connection.ts";
import { errorData } from "./convert/error-sentence.ts";
import type { AcpOpened } from "./dialect.ts";
import { mcpServers } from "./mcp-servers.ts";

const OPEN_TIMEOUT_MS = 120_000;

export interface OpenedConversation {
  readonly nativeId: string;
  readonly opened: AcpOpened;
  /** It knows nothing: there was none to go on with, or it could not be gone on with. */
  readonly isNew: boolean;
}

/** Go on with a conversation where there is one and the agent can; else begin one. */
export async function openConversation(
  agent: AcpAgent,
  place: AcpPlace,
  connection: AcpConnection,
  known: string | undefined,
): Promise<OpenedConversation> {
  const { directory: cwd } = place.session;
  const params = { cwd, mcpServers: await mcpServers(place, agent, connection.initialized) };
  try {
    if (known !== undefined) {
      const opened = await reopen(agent, place, connection, known, params);
      if (opened) return { nativeId: opened.sessionId ?? known, opened, isNew: false };
    }
    const timeoutMs = OPEN_TIMEOUT_MS;
    const opened = (await connection.request<AcpOpened | undefined>("session/new", params, { timeoutMs })) ?? {};
    if (opened.sessionId !== undefined) return { nativeId: opened.sessionId, opened, isNew: true };
  } catch (error) {
    throw error instanceof JsonRpcError ? openError(agent, place, connection, error) : error;
  }
  const sentence = `${agent.displayName} began a conversation without an id. Use another version of it.`;
  throw new SandboxError("stream_error", sentence, { agent: agent.id });
}

/** `undefined`: the agent cannot, or has it no more. */
async function reopen(
  agent: AcpAgent,
  place: AcpPlace,
  connection: AcpConnection,
  sessionId: string,
  params: object,
): Promise<AcpOpened | undefined> {
  const method = reopeningMethod(agent, connection);
  if (method === undefined) return undefined;
  if ((await agent.quirks?.beforeLoad?.(place, sessionId)) === false) return undefined;
  try {
    return (
      (await connection.request<AcpOpened | null>(method, { ...params, sessionId }, { timeoutMs: OPEN_TIMEOUT_MS })) ??
      {}
    );
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    place.host.log.warn({ err: error, agent: agent.id, sessionId }, "a conversation cannot be gone on with");
    return undefined;
  }
}

/** To resume is to load without hearing everything again. */
export function reopeningMethod({ quirks }: AcpAgent, { initialized }: AcpConnection): string | undefined {
  const { loadSession, sessionCapabilities } = initialized.agentCapabilities ?? {};
  const methods = [
    ...(sessionCapabilities?.resume ? ["session/resume"] : []),
    ...(loadSession ? ["session/load"] : []),
  ];
  const preferred = quirks?.reopensBy === undefined ? undefined : `session/${quirks.reopensBy}`;
  return methods.find((method) => method === preferred) ?? methods[0];
}

export function openError(
  agent: AcpAgent,
  { session }: AcpPlace,
  { initialized }: AcpConnection,
  error: JsonRpcError,
): SandboxError {
  const { message, code } = agent.quirks?.explainError?.(error) ?? errorData(agent.displayName, error, agent.program);
  const ways = (initialized.authMethods ?? []).flatMap(({ name, description }) => description ?? name ?? []);
  const hint = code === "unauthorized" && ways.length > 0 ? ` It offers: ${ways.join("; ")}.` : "";
  const details = { code: error.code, data: error.data ?? null };
  return new SandboxError("stream_error", message + hint, {
    agent: agent.id,
    sessionId: session.sessionId,
    details,
    cause: error,
  });
}
