import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import {
  type CreateSessionRequest,
  type SandboxAgent,
  SandboxAgentError,
  type SessionInfo,
} from "@sandbox-agent-ts/sdk";
import type { Connection, ConnectionFlags } from "../client/connection.ts";
import type { CommandInput } from "../commands/command-input.ts";
import { createSessionRequest } from "../commands/create-session-request.ts";

export type ConversationFlags = ConnectionFlags & { readonly json?: true };

/** What to create the session with. A directory is only assumed where the agent sees this machine's files. */
export async function newSession(input: CommandInput, agent: string, isLocal: boolean): Promise<CreateSessionRequest> {
  const given = input.text("dir");
  const directory = isLocal ? resolve(given ?? ".") : given;
  return { ...(await createSessionRequest(input)), agent, ...(directory === undefined ? {} : { directory }) };
}

/** Whether agents see the same files as we do, as far as the address tells; those in a runtime's sandboxes do not. */
export async function seesOurFiles(client: SandboxAgent, { baseUrl }: Connection): Promise<boolean> {
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(new URL(baseUrl).hostname);
  return isHere && (await client.getServerInfo()).kind !== "runtime";
}

/** `run-1a2b3c4d`: short enough to be typed. */
export function freshSessionId(word: string): string {
  return `${word}-${randomBytes(4).toString("hex")}`;
}

/** Create a session that must work; the daemon's reason otherwise. */
export async function createHealthy(
  client: SandboxAgent,
  sessionId: string,
  request: CreateSessionRequest,
): Promise<SessionInfo> {
  const { healthy, error } = await client.createSession(sessionId, request);
  if (!healthy && error) throw new Error(error.message);
  return client.getSession(sessionId);
}

/** Whether a session of the agent has to wait for its program first. */
export async function mustInstall(client: SandboxAgent, agent: string): Promise<boolean> {
  const { agents } = await client.listAgents();
  return agents.find(({ id }) => id === agent)?.installed === false;
}

export function installingText(agent: string): string {
  return `Installing ${agent}, which takes a while the first time …`;
}

export async function findSession(client: SandboxAgent, sessionId: string): Promise<SessionInfo | undefined> {
  try {
    return await client.getSession(sessionId);
  } catch (error) {
    if (error instanceof SandboxAgentError && error.status === 404) return undefined;
    throw error;
  }
}
