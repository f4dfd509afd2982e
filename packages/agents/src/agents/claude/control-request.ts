import { randomUUID } from "node:crypto";

/** Something we ask of Claude Code beside the conversation. */
export function controlRequest(request: { subtype: string; [field: string]: unknown }): object {
  return { type: "control_request", request_id: randomUUID(), request };
}

/** Makes the program ready for its first prompt, and say what it can do. */
export function initializeRequest(): object {
  return controlRequest({ subtype: "initialize" });
}
