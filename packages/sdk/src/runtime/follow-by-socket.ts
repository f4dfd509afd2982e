import type { ProblemDetails, SessionBlocks, SocketAnswer } from "@sandbox-agent-ts/protocol";
import type { Socket } from "socket.io-client";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import type { FollowSessionOptions, RuntimeEvent } from "./runtime-event.ts";

/** A reader that is this far behind gets no more until it has read: the rest stays in the runtime's log. */
const maxWaiting = 10_000;

/** Where the runtime is, and who comes. */
export interface SocketPlace {
  readonly baseUrl: string;
  readonly token: () => Promise<string | undefined>;
}

/** The events of a session over as many connections as it takes, each once. */
export async function* followBySocket(
  { baseUrl, token }: SocketPlace,
  sessionId: string,
  { after, signal }: FollowSessionOptions,
): AsyncGenerator<RuntimeEvent, void, undefined> {
  const { io } = await loadSocketIo();
  const waiting: RuntimeEvent[] = [];
  let cursor = after;
  let failure: Error | undefined;
  let isOver = false;
  let isRefused = false;
  let wake: () => void = () => {};
  const end = (error?: Error) => {
    failure ??= error;
    isOver = true;
    wake();
  };
  const socket: Socket = io(baseUrl, {
    auth: (give) => void token().then((value) => give({ token: value }), end),
    autoConnect: false,
    forceNew: true,
  });
  const add = (event: RuntimeEvent) => {
    waiting.push(event);
    if (waiting.length >= maxWaiting) socket.disconnect();
    wake();
  };
  const join = async () => {
    const request = { sessionId, ...(cursor === undefined ? {} : { after: cursor }) };
    const answer = (await socket.emitWithAck("session:join", request)) as SocketAnswer<"session:join", SessionBlocks>;
    if (!answer.ok) return end(errorOf(answer.error));
    isRefused = false;
    const { state, runtime, runningTurnId = null } = answer;
    if (!state) return;
    cursor = answer.cursor;
    add({ name: "session:state", data: { sessionId, cursor, runtime, state, runningTurnId } });
  };
  // A join whose connection breaks is made again by the next one.
  socket.on("connect", () => void join().catch(() => {}));
  socket.on("connect_error", (error: Error & { data?: ProblemDetails }) => {
    if (error.data) end(errorOf(error.data));
  });
  socket.on("disconnect", (reason) => {
    if (reason !== "io server disconnect") return;
    // An expired token is followed by a new one, if there is any.
    if (isRefused) end(SandboxAgentError.withoutResponse("The runtime ended the connection."));
    else socket.connect();
    isRefused = true;
  });
  socket.on("session:deleted", () => end());
  socket.onAny((name: string, data: { sessionId?: string; cursor?: number } | undefined) => {
    if (!socket.connected || data?.sessionId !== sessionId) return;
    if (name === "session:status") return add({ name, data } as RuntimeEvent);
    if (data.cursor === undefined || (cursor !== undefined && data.cursor <= cursor)) return;
    cursor = data.cursor;
    add({ name, data } as RuntimeEvent);
  });
  const stop = () => end();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    socket.connect();
    while (!signal?.aborted) {
      const next = waiting.shift();
      if (next) yield next;
      else if (isOver) break;
      else if (!socket.active) socket.connect();
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (failure && !signal?.aborted) throw failure;
  } finally {
    signal?.removeEventListener("abort", stop);
    socket.disconnect();
  }
}

async function loadSocketIo(): Promise<typeof import("socket.io-client")> {
  try {
    return await import("socket.io-client");
  } catch (cause) {
    const sentence =
      'Socket.IO is not installed. Run `npm install socket.io-client`, or connect with transport: "sse".';
    throw SandboxAgentError.withoutResponse(sentence, cause);
  }
}

function errorOf(problem: ProblemDetails): SandboxAgentError {
  return new SandboxAgentError(problem.status, problem as ConstructorParameters<typeof SandboxAgentError>[1]);
}
