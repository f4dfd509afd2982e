import type { IncomingMessage } from "node:http";
import type { AuditLog } from "../access/audit-log.ts";
import { type Action, actions } from "../access/may.ts";
import type { Principal } from "../access/principal.ts";

/** An operation that somebody asks for. */
export interface Asked {
  readonly action: Action;
  /** Method and route. */
  readonly operation: string;
  readonly sessionId?: string | undefined;
}

interface Answered {
  readonly principal: Principal | undefined;
  readonly operation: Asked | undefined;
  readonly status: number;
}

/** Keep who changed something, or was refused to. Who only reads, and who is not known, is in the log of requests. */
export function audit(log: AuditLog, request: IncomingMessage, { principal, operation, status }: Answered): void {
  if (!principal || !operation || actions[operation.action].scope === "read") return;
  log.record({
    at: Date.now(),
    principal: principal.principal,
    keyId: principal.keyId,
    byToken: principal.session !== undefined,
    action: operation.action,
    operation: operation.operation,
    sessionId: operation.sessionId,
    status,
    remoteAddress: request.socket.remoteAddress,
  });
}
