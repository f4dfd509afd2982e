import { basename } from "node:path";
import type { CreateSessionResponse, SessionInfo, SessionListResponse, WaitingTurn } from "@sandbox-agent-ts/protocol";
import type { AgentsService, SessionsService } from "@sandbox-agent-ts/server";
import type { TurnRecord } from "@sandbox-agent-ts/store";
import type { Agents } from "../agents/agents.ts";
import { sessionInfo } from "../sessions/session-info.ts";
import type { Sessions } from "../sessions/sessions.ts";

/** The daemon's agents as the routes of the API ask for them. */
export function agentsService(agents: Agents): AgentsService {
  return {
    list: (query) => agents.list(query),
    install: (agent, options) => agents.install(agent, options),
    modes: async (agent) => {
      const { adapter, agentHost } = await agents.get(agent);
      return { modes: [...(await adapter.modes(agentHost))] };
    },
    models: async (agent) => {
      const { adapter, agentHost } = await agents.get(agent);
      return adapter.models(agentHost);
    },
  };
}

/** The daemon's sessions as the routes of the API ask for them. */
export function sessionsService(sessions: Sessions): SessionsService {
  const infoOf = (sessionId: string): SessionInfo => sessionInfo(sessions.get(sessionId));
  return {
    page: async (query): Promise<SessionListResponse> => {
      const { sessions: found, nextCursor } = sessions.page(query);
      return { sessions: found.map(sessionInfo), ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    followList: (lastEventId, signal) => sessions.changes.follow(lastEventId, signal),
    create: async (sessionId, request, idempotencyKey): Promise<CreateSessionResponse> => {
      const { session, error } = await sessions.create(sessionId, request, idempotencyKey);
      const { nativeSessionId } = session.recorder.state;
      const { profileLosses } = session.config;
      return {
        healthy: error === undefined,
        ...(error ? { error } : {}),
        ...(nativeSessionId === null ? {} : { nativeSessionId }),
        ...(profileLosses === undefined ? {} : { profileLosses: [...profileLosses] }),
      };
    },
    info: async (sessionId) => infoOf(sessionId),
    update: async (sessionId, request) => sessionInfo(await sessions.update(sessionId, request)),
    delete: (sessionId) => sessions.delete(sessionId),
    admit: async (sessionId, { message, messageId, turnId, attachments: given }, idempotencyKey) => {
      const session = sessions.get(sessionId);
      const attachments = await sessions.attachments.filesOf(session.id, given ?? []);
      const names = { messageId: messageId ?? undefined, turnId: turnId ?? undefined, idempotencyKey };
      const turn = await session.admit({ message, attachments, ...names });
      return { ...turn, withdrawn: session.withdrawal(turn.turnId) };
    },
    turns: async (sessionId) => {
      const { runningTurnId, waiting } = sessions.get(sessionId).turns;
      return { runningTurnId: runningTurnId ?? null, waiting: waiting.map(waitingTurn) };
    },
    withdrawTurn: async (sessionId, turnId) => sessions.get(sessionId).withdraw(turnId),
    interrupt: async (sessionId) => sessions.get(sessionId).interrupt(),
    terminate: async (sessionId) => {
      if (!sessions.cancelCreate(sessionId)) await sessions.get(sessionId).terminate();
    },
    log: async (sessionId) => sessions.get(sessionId).log,
    diff: async (sessionId, query) => sessions.get(sessionId).changes.diff(query),
    replyPermission: async (sessionId, id, reply) => sessions.get(sessionId).replyPermission(id, reply),
    replyQuestion: async (sessionId, id, answers) => sessions.get(sessionId).replyQuestion(id, answers),
  };
}

function waitingTurn({ turnId, message, attachments, messageId, admittedAt }: TurnRecord): WaitingTurn {
  return {
    turnId,
    message,
    attachments: attachments.map(({ filename, path }) => filename ?? basename(path)),
    ...(messageId === undefined ? {} : { messageId }),
    admittedAt,
  };
}
