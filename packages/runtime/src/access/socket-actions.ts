import type { SocketRequestName } from "@sandbox-agent-ts/protocol";
import type { Action } from "./may.ts";

/**
 * What each request on a socket is an action of. One that is not here does not compile, and whoever adds one says in
 * `gateway/socket/socket-access-matrix.e2e.test.ts` who may use it.
 */
export const socketActions: Readonly<Record<SocketRequestName, Action>> = {
  "session:join": "session:read",
  "session:leave": "session:read",
  "session:send": "session:write",
  "session:interrupt": "session:write",
  "session:permission:reply": "session:write",
  "session:question:reply": "session:write",
  "connection:token": "session:read",
};
