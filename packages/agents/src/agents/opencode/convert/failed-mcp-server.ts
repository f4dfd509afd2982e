import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { statusNotice } from "../../../notices/status-notice.ts";

/** A conversation begins without a server that cannot be reached, and says so. */
export function failedMcpServer(itemId: string, name: string, detail: string): EventDraft[] {
  return statusNotice(itemId, [`MCP server ${name} failed`, detail], { source: "agent", synthetic: false });
}
