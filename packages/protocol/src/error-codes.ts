/** Every error a client can meet, with its HTTP status and title. A closed set: a new one is an API change. */
export const errorCodes = {
  invalid_request: { status: 400, title: "Invalid request" },
  unsupported_agent: { status: 400, title: "Unsupported agent" },
  mode_not_supported: { status: 400, title: "Mode not supported" },
  token_invalid: { status: 401, title: "Token missing or wrong" },
  permission_denied: { status: 403, title: "Permission denied" },
  agent_not_installed: { status: 404, title: "Agent not installed" },
  session_not_found: { status: 404, title: "Session not found" },
  request_not_found: { status: 404, title: "Request not found" },
  turn_not_found: { status: 404, title: "Turn not found" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  session_already_exists: { status: 409, title: "Session already exists" },
  turn_already_exists: { status: 409, title: "Turn already exists" },
  turn_already_started: { status: 409, title: "Turn already started" },
  request_already_resolved: { status: 409, title: "Request already resolved" },
  session_ended: { status: 409, title: "Session ended" },
  payload_too_large: { status: 413, title: "Payload too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  too_many_requests: { status: 429, title: "Too many requests" },
  install_failed: { status: 500, title: "Install failed" },
  agent_process_exited: { status: 500, title: "Agent process exited" },
  internal_error: { status: 500, title: "Internal error" },
  stream_error: { status: 502, title: "Stream error" },
  timeout: { status: 504, title: "Timeout" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

export const errorTypePrefix = "urn:sandbox-agent:error:";
