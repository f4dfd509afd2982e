import {
  type BlockChange,
  ConversationBlocks,
  type SocketAnswer,
  type SocketRequest,
  type SocketRequestName,
} from "@sandbox-agent-ts/protocol";
import { io, type Socket } from "socket.io-client";
import { onTestFinished } from "vitest";
import type { TestRuntime } from "../../../__fixtures__/test-runtime.ts";
import type { RuntimeSessionData } from "../../../sessions/session-data.ts";

export interface Told {
  readonly name: string;
  readonly data: { readonly sessionId: string; readonly sequence: number; readonly cursor: number };
}

/** A client of the real library, as a page has it. */
export function connect(url: string, token: string | undefined, transports = ["websocket"]): Socket {
  const socket = io(url, { auth: { token }, transports, forceNew: true, reconnection: false });
  onTestFinished(() => void socket.disconnect());
  return socket;
}

/** A key of its own. */
export async function keyOf({ runtime }: TestRuntime, principal: string): Promise<string> {
  return (await runtime.keys.create({ name: principal, principal })).key;
}

export async function ask<Name extends SocketRequestName>(socket: Socket, name: Name, body: SocketRequest<Name>) {
  return (await socket.timeout(60_000).emitWithAck(name, body)) as SocketAnswer<Name, RuntimeSessionData>;
}

export function happens(socket: Socket, name: string): Promise<unknown> {
  return new Promise((resolve) => socket.once(name, resolve));
}

/** What the socket is told of the log of sessions. */
export function record(socket: Socket): Told[] {
  const told: Told[] = [];
  socket.onAny((name: string, data: Told["data"] | undefined) => {
    if (data?.cursor !== undefined) told.push({ name, data });
  });
  return told;
}

/** The blocks that a state and what was told after it add up to. */
export function blocksOf(state: RuntimeSessionData | undefined, told: readonly Told[]) {
  const blocks = ConversationBlocks.from(state ?? { blocks: [], subagents: [] });
  for (const { name, data } of told) {
    const type = name.split(":")[2];
    if (name.startsWith("session:block:")) blocks.apply({ ...data, type } as unknown as BlockChange);
  }
  return blocks.result();
}
