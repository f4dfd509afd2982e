import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { tokenOf } from "./http-client.ts";

const cursorField = Buffer.from('"cursor":');
const joined = Buffer.from('430[{"ok":true');
const ping = Buffer.from([0x81, 1, 0x32]);
const pong = frame("3");
const pongIntervalMs = 5_000;
const longestField = 64;

/** Follows a session over Socket.IO on a bare WebSocket as cheaply as possible: it looks at nothing but the cursors. */
export class SocketCounter {
  last = 0;
  messages = 0;
  outOfOrder = 0;
  readonly #socket: Socket;
  readonly #waiting: { readonly cursor: number; readonly resolve: () => void }[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #pongs: NodeJS.Timeout | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Resolves when the session was joined; everything in its log follows. */
  static async follow(url: string, sessionId: string): Promise<SocketCounter> {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const upgrade = [
      "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
      `Host: ${hostname}:${port}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    ];
    socket.write(`${upgrade.join("\r\n")}\r\n\r\n`);
    await arrival(socket, Buffer.from("upgrades"));
    socket.write(frame(`40${JSON.stringify({ token: tokenOf(url) })}`));
    await arrival(socket, Buffer.from('40{"sid"'));
    socket.write(frame(`420${JSON.stringify(["session:join", { sessionId, after: 0 }])}`));
    const rest = await arrival(socket, joined);
    const counter = new SocketCounter(socket);
    counter.#read(rest.subarray(rest.indexOf("}]", rest.indexOf(joined))));
    socket.on("data", (chunk: Buffer) => counter.#read(chunk));
    socket.on("error", () => {});
    return counter;
  }

  /** Resolves when the message with this cursor, or a later one, has arrived. */
  reached(cursor: number): Promise<void> {
    if (this.last >= cursor) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ cursor, resolve }));
  }

  /** Read nothing any more, and say all the same that somebody is there, so that the runtime keeps the connection. */
  stall(): void {
    this.#socket.pause();
    this.#pongs = setInterval(() => this.#socket.write(pong), pongIntervalMs);
  }

  close(): void {
    clearInterval(this.#pongs);
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (chunk.length === ping.length && chunk.equals(ping)) this.#socket.write(pong);
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let done = 0;
    for (let at = bytes.indexOf(cursorField); at !== -1; at = bytes.indexOf(cursorField, at + 1)) {
      const start = at + cursorField.length;
      let end = start;
      while (end < bytes.length && isInNumber(bytes[end]!)) end += 1;
      if (end === bytes.length) break;
      const cursor = Number(bytes.toString("latin1", start, end));
      if (cursor <= this.last) this.outOfOrder += 1;
      this.last = cursor;
      this.messages += 1;
      done = end;
    }
    this.#rest = bytes.subarray(Math.max(done, bytes.length - longestField));
    while (this.#waiting.length > 0 && this.last >= this.#waiting[0]!.cursor) this.#waiting.shift()!.resolve();
  }
}

/** What has come up to and with these bytes. */
function arrival(socket: Socket, wanted: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const look = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!bytes.includes(wanted)) return;
      socket.off("data", look);
      resolve(bytes);
    };
    socket.on("data", look);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error(`The socket was closed after ${bytes.toString()}`)));
  });
}

/** A short text as a client sends it: masked, here with zeros. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload]);
}

function isInNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2e;
}
