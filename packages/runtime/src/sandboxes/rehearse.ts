import { randomBytes } from "node:crypto";
import type { AgentSandbox } from "./agent-sandbox.ts";

const idBytes = 6;
const limitMs = 20_000;

/**
 * Have the daemon of a sandbox that is nobody's yet do what its session is going to ask: a program is slow the first time. The
 * mock agent takes the turn, which starts no program, and nothing of it is left.
 */
export async function rehearse({ client, paths }: AgentSandbox, signal?: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([AbortSignal.timeout(limitMs), ...(signal ? [signal] : [])]);
  const sessionId = `rehearsal-${randomBytes(idBytes).toString("hex")}`;
  // Agents are loaded when they are listed.
  await client.listAgents();
  try {
    await client.createSession(sessionId, { agent: "mock", directory: paths.workspace }, { signal: limit });
    await client.postMessage(sessionId, { message: "hello" }, { signal: limit });
    for await (const { type } of client.streamEvents(sessionId, { includeRaw: true }, limit)) {
      if (type === "turn.ended") break;
    }
  } finally {
    await client.deleteSession(sessionId);
  }
}
