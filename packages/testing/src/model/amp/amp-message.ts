import type { Json } from "../dialects/json.ts";

/** A message of a thread, as the service keeps it and tells it to its clients. */
export interface AmpMessage {
  readonly threadId: string;
  readonly messageId: string;
  readonly role: "user" | "assistant";
  readonly content: readonly Json[];
  readonly agentMode?: string;
  /** Only of the model's messages. */
  readonly state?: { readonly type: "complete" | "cancelled" };
  readonly usage?: Json;
}

/** How a tool's use ended: `done` with a result, `error`, `cancelled`, `rejected-by-user`. */
export type ToolRun = Json & { readonly status: string };

export function toolResult(toolUseID: string, run: ToolRun): Json {
  return { type: "tool_result", toolUseID, run };
}
