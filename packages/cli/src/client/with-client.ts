import { SandboxError } from "@sandbox-agent-ts/protocol";
import { SandboxAgent, SandboxAgentError } from "@sandbox-agent-ts/sdk";
import type { Connection } from "./connection.ts";

/** Talk to a daemon; that there is none is said at once and with what to do. */
export async function withClient<T>(connection: Connection, talk: (client: SandboxAgent) => Promise<T>): Promise<T> {
  const client = await SandboxAgent.connect({ ...connection, retries: 0 });
  try {
    return await talk(client);
  } catch (error) {
    throw isUnanswered(error) ? unreachable(connection.baseUrl, error) : error;
  }
}

function isUnanswered(error: unknown): error is SandboxAgentError {
  return error instanceof SandboxAgentError && error.status === 0;
}

function unreachable(baseUrl: string, error: SandboxAgentError): SandboxError {
  const advice = `Is a daemon running at ${baseUrl}? \`sandbox-agent daemon start\` starts one, --endpoint names another.`;
  return new SandboxError("stream_error", `${error.message} ${advice}`, { cause: error });
}
