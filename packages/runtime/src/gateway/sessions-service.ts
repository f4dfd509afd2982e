import type { SessionsService } from "@sandbox-agent-ts/server";
import { type Action, ensureMay } from "../access/may.ts";
import type { Principal } from "../access/principal.ts";
import type { AgentSession } from "../sessions/agent-session.ts";
import type { SessionManager } from "../sessions/session-manager.ts";

/** The sessions of a runtime as one principal may see and use them. A session of somebody else does not exist. */
export function sessionsService(manager: SessionManager, principal: Principal): SessionsService {
  const find = async (action: Action, sessionId: string): Promise<void> =>
    ensureMay(principal, action, await manager.ownership(sessionId));
  const use = async (action: Action, sessionId: string): Promise<AgentSession> => {
    await find(action, sessionId);
    return manager.loadSession(sessionId);
  };
  return {
    page: async (query) => {
      ensureMay(principal, "sessions:list");
      return manager.list.page(query, principal);
    },
    followList: (lastEventId, signal) => {
      ensureMay(principal, "sessions:list");
      return manager.list.feed(principal).follow(lastEventId, signal);
    },
    create: async (sessionId, request, idempotencyKey) => {
      ensureMay(principal, "sessions:create");
      await manager.createSession({ ...request, sessionId, owner: principal.principal, idempotencyKey });
      return { healthy: true };
    },
    info: async (sessionId) => {
      await find("session:read", sessionId);
      return manager.info(sessionId);
    },
    update: async (sessionId, request) => (await use("session:write", sessionId)).update(request),
    delete: async (sessionId) => {
      await find("session:manage", sessionId);
      await manager.deleteSession(sessionId);
    },
    admit: async (sessionId, request, idempotencyKey) =>
      (await use("session:write", sessionId)).sendMessage(request, idempotencyKey),
    turns: async (sessionId) => {
      await find("session:read", sessionId);
      return manager.turns(sessionId);
    },
    withdrawTurn: async (sessionId, turnId) => (await use("session:write", sessionId)).withdrawTurn(turnId),
    interrupt: async (sessionId) => (await use("session:write", sessionId)).interrupt(),
    terminate: async (sessionId) => (await use("session:manage", sessionId)).terminate(),
    log: async (sessionId) => {
      await find("session:read", sessionId);
      return manager.log(sessionId);
    },
    diff: async (sessionId, query) => (await use("session:read", sessionId)).diff(query),
    replyPermission: async (sessionId, id, reply) => (await use("session:write", sessionId)).replyPermission(id, reply),
    replyQuestion: async (sessionId, id, answers) => (await use("session:write", sessionId)).replyQuestion(id, answers),
  };
}
