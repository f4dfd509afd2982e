import { SandboxError } from "@sandbox-agent-ts/protocol";
import { SandboxAgent, SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { DaemonFailure } from "../daemon-failure.ts";
import type { Connection } from "./connection.ts";

/** Talk to a daemon; that there is none is said at once and with what to do. */
export async function withClient<T>(connection: Connection, talk: (client: SandboxAgent) => Promise<T>): Promise<T> {
  const client = await SandboxAgent.connect({ ...connection, retries: 0 });
  try {
    return await talk(client);
  } catch (error) {
    throw daemonFailure(connection.place ?? connection.baseUrl, error);
  }
}

function daemonFailure(place: string, error: unknown): unknown {
  if (!(error instanceof SandboxAgentError)) return error;
  return error.status === 0 ? unreachable(place, error) : new DaemonFailure(place, error);
}

function unreachable(place: string, error: SandboxAgentError): SandboxError {
  const advice = "`sandbox-agent daemon start` starts one, --endpoint or --data-dir names another.";
  const sentence = `No daemon answers at ${place}: ${reasonOf(error)}. ${advice}`;
  return new SandboxError("stream_error", sentence, { cause: error });
}

/** What the network said; the SDK's own sentence names the request, which people did not make. */
function reasonOf(error: SandboxAgentError): string {
  const failed = error.cause instanceof Error ? error.cause : undefined;
  const cause = failed?.cause instanceof Error ? failed.cause : failed;
  return (cause?.message || error.message).replace(/\.$/, "");
}
