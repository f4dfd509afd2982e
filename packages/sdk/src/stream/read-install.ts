import type { AgentInstallEvent, AgentInstallProgress, AgentInstallResponse } from "../api-types.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { readSse } from "./read-sse.ts";

/** The daemon sends a heartbeat every 15 s. */
const STALL_MS = 45_000;

export interface InstallOptions {
  /** Called with each step, and while bytes come some times a second. */
  readonly onProgress?: ((progress: AgentInstallProgress) => void) | undefined;
  /** Stops waiting; the installation itself goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** Read an installation to its end. An older daemon answers once it is done, with JSON. */
export async function readInstall(
  response: Response,
  onProgress: (progress: AgentInstallProgress) => void,
  signal: AbortSignal,
): Promise<AgentInstallResponse> {
  if (response.headers.get("content-type")?.startsWith("application/json"))
    return (await response.json()) as AgentInstallResponse;
  for await (const frames of readSse({ open: async () => response, signal, stallMs: STALL_MS })) {
    for (const { data } of frames) {
      const event = JSON.parse(data) as AgentInstallEvent;
      if (event.type === "installed") return event.result;
      if (event.type === "failed") throw new SandboxAgentError(event.problem.status, event.problem);
      onProgress(event);
    }
  }
  throw SandboxAgentError.withoutResponse("The connection ended before the installation did. Ask for it again.");
}
