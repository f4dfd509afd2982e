import { JsonRpcError } from "../json-rpc/json-rpc-error.ts";
import type { LiveConversation } from "./acp-link.ts";
import type { PromptEnd } from "./convert/end-turn.ts";
import type { AcpPromptResult } from "./dialect.ts";

/** Resolves when the agent is idle again, also when it refused, or was ended for a turn that was given up; rejects when it is lost. */
export async function sendPrompt(
  { connection, nativeId }: LiveConversation,
  prompt: object[],
  isGivenUp: () => boolean,
): Promise<PromptEnd> {
  try {
    const params = { sessionId: nativeId, prompt };
    return { result: (await connection.request<AcpPromptResult | null>("session/prompt", params)) ?? {} };
  } catch (error) {
    if (error instanceof JsonRpcError) return { error };
    if (isGivenUp()) return { result: { stopReason: "cancelled" } };
    throw error;
  }
}
