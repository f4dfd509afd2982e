import type { UpdateSessionRequest } from "./session.ts";
import type { SessionChanges } from "./session-settings.ts";

/** What was changed, as the log tells it. */
export function sessionChanges(request: UpdateSessionRequest): SessionChanges {
  const { agentMode, permissionMode, requestTimeout, ...rest } = request;
  const renamed = { agent_mode: agentMode, permission_mode: permissionMode, request_timeout: requestTimeout };
  return Object.fromEntries(Object.entries({ ...rest, ...renamed }).filter(([, value]) => value !== undefined));
}
