import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Box, BoxProcess } from "../box/box.ts";
import { exitStatus, failure } from "./status.ts";

const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;
const normalClosure = 1000;
const longestReason = 120;

/** Commands in pods and connections to their ports, each over a WebSocket whose frames begin with the number of a channel. */
export class PodStreams {
  readonly #exec: WebSocketServer;
  readonly #forward: WebSocketServer;
  readonly #open = new Set<WebSocket>();

  /** The newest protocol for commands: only the fifth can say that the standard input ends. */
  constructor(newest: "v4" | "v5") {
    const spoken = newest === "v5" ? ["v5.channel.k8s.io", "v4.channel.k8s.io"] : ["v4.channel.k8s.io"];
    this.#exec = socketServer(spoken);
    this.#forward = socketServer(["v4.channel.k8s.io"]);
  }

  /** Streams that are open now. */
  get open(): number {
    return this.#open.size;
  }

  /** Break them, as a proxy does that is restarted. */
  breakAll(): void {
    for (const socket of this.#open) socket.terminate();
  }

  /** `isLost`: the command runs, and nobody hears of it. */
  exec(request: IncomingMessage, socket: Duplex, head: Buffer, box: Box, isLost: boolean): void {
    const { searchParams } = new URL(request.url!, "http://service");
    this.#accept(this.#exec, request, socket, head, (client) => {
      void serveExec(client, box, searchParams).catch(() => client.terminate());
      if (isLost) setImmediate(() => client.terminate());
    });
  }

  forward(request: IncomingMessage, socket: Duplex, head: Buffer, box: Box): void {
    const port = Number(new URL(request.url!, "http://service").searchParams.get("ports"));
    this.#accept(this.#forward, request, socket, head, (client) => void serveForward(client, box, port));
  }

  close(): void {
    this.breakAll();
    this.#exec.close();
    this.#forward.close();
  }

  #accept(
    server: WebSocketServer,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    then: (client: WebSocket) => void,
  ): void {
    server.handleUpgrade(request, socket, head, (client) => {
      this.#open.add(client);
      client.on("error", () => {});
      client.once("close", () => this.#open.delete(client));
      then(client);
    });
  }
}

function socketServer(spoken: readonly string[]): WebSocketServer {
  const handleProtocols = (offered: Set<string>) => spoken.find((protocol) => offered.has(protocol)) ?? false;
  return new WebSocketServer({ noServer: true, handleProtocols, perMessageDeflate: false });
}

async function serveExec(client: WebSocket, box: Box, query: URLSearchParams): Promise<void> {
  const frames: Buffer[] = [];
  let take = (frame: Buffer) => void frames.push(frame);
  client.on("message", (data) => take(data as Buffer));
  const command = query.getAll("command");
  let child: BoxProcess;
  try {
    child = await box.exec(command);
  } catch {
    const message = `exec: "${command[0]}": executable file not found in $PATH`;
    send(client, channel.status, Buffer.from(JSON.stringify(failure(500, message))));
    return client.close(normalClosure);
  }
  if (query.get("stdin") === "true") {
    take = (frame) => {
      if (frame[0] === channel.close && frame[1] === channel.stdin) child.closeStdin();
      else if (frame[0] === channel.stdin) child.writeStdin(frame.subarray(1));
    };
    for (const frame of frames) take(frame);
    client.once("close", () => child.closeStdin());
  } else {
    take = () => {};
    child.closeStdin();
  }
  const copied = [copy(client, child.stdout, channel.stdout), copy(client, child.stderr, channel.stderr)];
  const { code, signal } = await child.exited;
  await Promise.all(copied);
  send(client, channel.status, Buffer.from(JSON.stringify(exitStatus(signal === null ? (code ?? 1) : 137))));
  client.close(normalClosure);
}

async function copy(client: WebSocket, stream: AsyncIterable<Buffer>, number: number): Promise<void> {
  for await (const chunk of stream) send(client, number, chunk);
}

async function serveForward(client: WebSocket, box: Box, port: number): Promise<void> {
  const portBytes = Buffer.alloc(2);
  portBytes.writeUInt16LE(port);
  const [data, errors] = [0, 1];
  send(client, data, portBytes);
  send(client, errors, portBytes);
  const frames: Buffer[] = [];
  let take = (frame: Buffer) => void frames.push(frame);
  client.on("message", (frame) => take(frame as Buffer));
  try {
    const connection = await box.connect(port);
    take = (frame) => void (frame[0] === data && connection.write(frame.subarray(1)));
    for (const frame of frames) take(frame);
    connection.on("data", (chunk: Buffer) => send(client, data, chunk));
    connection.on("error", () => client.terminate());
    connection.once("end", () => client.close(normalClosure));
    connection.once("close", () => client.close(normalClosure));
    client.once("close", () => connection.destroy());
  } catch (error) {
    const message = `error forwarding port ${port} to pod: ${(error as Error).message}`;
    send(client, errors, Buffer.from(message.slice(0, longestReason)));
    client.close(normalClosure);
  }
}

function send(client: WebSocket, number: number, data: Buffer): void {
  if (client.readyState === client.OPEN) client.send(Buffer.concat([Buffer.of(number), data]));
}
