import type { SocketRequestBody, SocketRequestName, SocketResults } from "@sandbox-agent-ts/protocol";
import type { SocketClient } from "./socket-client.ts";

type Handlers = {
  readonly [Name in SocketRequestName]: (
    client: SocketClient,
    body: SocketRequestBody<Name>,
  ) => Promise<SocketResults[Name]>;
};

/** What becomes of each request. Whether it is allowed is decided where the session is found, as for REST. */
export const requestHandlers: Handlers = {
  "session:join": (client, { sessionId, after }) => client.join(sessionId, after ?? undefined),
  "session:leave": async (client, { sessionId }) => {
    client.leave(sessionId);
    return {};
  },
  "session:send": async (client, { sessionId, idempotencyKey, ...message }) => {
    const { turnId } = await client.sessions.admit(sessionId, message, idempotencyKey ?? undefined);
    return { turnId };
  },
  "session:interrupt": async (client, { sessionId }) => {
    await client.sessions.interrupt(sessionId);
    return {};
  },
  "session:permission:reply": async (client, { sessionId, permissionId, ...reply }) => {
    await client.sessions.replyPermission(sessionId, permissionId, reply);
    return {};
  },
  "session:question:reply": async (client, { sessionId, questionId, answers }) => {
    await client.sessions.replyQuestion(sessionId, questionId, answers);
    return {};
  },
  "connection:token": async (client, { token }) => ({ expiresAt: await client.renew(token) }),
};
