import type { Socket as Connection } from "engine.io";
import type { Packets } from "./message-batch.ts";
import { eventPacket } from "./packets.ts";

type WriteOptions = NonNullable<Parameters<Connection["write"]>[1]>;

/**
 * What goes out to one client: one thing after the other, the next when the transport has taken the one before. Whoever has
 * more to send waits, and what only tells how things are now is replaced by newer news. So nothing piles up in memory for a
 * client that does not read.
 */
export class Outlet {
  readonly #connection: Connection;
  readonly #waiting: (() => void)[] = [];
  /** How to take the newest packets of each kind. */
  readonly #notices = new Map<string, () => readonly string[]>();
  #isTaken = false;
  #isClosed = false;
  /** Ends the wait for the transport. */
  #proceed: (() => void) | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Nobody is there any more: all waiting ends. */
  close(): void {
    this.#isClosed = true;
    this.#notices.clear();
    this.#proceed?.();
    for (const proceed of this.#waiting.splice(0)) proceed();
  }

  /** Resolves when the transport has taken the packets, or nobody is there any more. */
  async send(packets: Packets): Promise<void> {
    await this.#take();
    try {
      await this.#write(packets);
    } finally {
      this.#release();
    }
  }

  /** Let Socket.IO send something itself, when it is its turn. */
  async sendOwn(send: () => void): Promise<void> {
    await this.#take();
    try {
      await this.#writable();
      if (!this.#isClosed) send();
      await this.#writable();
    } finally {
      this.#release();
    }
  }

  /** Tell how something is now; of the same key only the newest is sent. */
  notify(key: string, name: string, data?: unknown): void {
    const packets = [eventPacket(name, data)];
    this.notifyAll(key, () => packets);
  }

  /** The same of something that has more to tell: it is asked what, once, when it is its turn. */
  notifyAll(key: string, take: () => readonly string[]): void {
    if (this.#isClosed) return;
    this.#notices.set(key, take);
    if (this.#isTaken) return;
    this.#isTaken = true;
    void this.#sendNotices().finally(() => this.#release());
  }

  /** Do not tell what waits under this key. */
  withdraw(key: string): void {
    this.#notices.delete(key);
  }

  #take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return undefined;
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else if (this.#notices.size > 0) void this.#sendNotices().finally(() => this.#release());
    else this.#isTaken = false;
  }

  async #sendNotices(): Promise<void> {
    await this.#writable();
    const texts = [...this.#notices.values()].flatMap((take) => take());
    this.#notices.clear();
    if (!this.#isClosed && texts.length > 0) await this.#written(texts);
  }

  async #write(packets: Packets): Promise<void> {
    if (this.#notices.size > 0) await this.#sendNotices();
    await this.#writable();
    if (this.#isClosed) return;
    if (takesFrames(this.#connection)) {
      const [first = ""] = packets.texts;
      await this.#written([first], { wsPreEncodedFrame: [packets.frames] } as WriteOptions);
    } else await this.#written(packets.texts);
  }

  /** The transport tells when it has written the last of them; where it breaks it does not, but the connection closes. */
  #written(texts: readonly string[], options?: WriteOptions): Promise<void> {
    return new Promise((resolve) => {
      this.#proceed = resolve;
      texts.forEach((text, index) => {
        this.#connection.write(text, options, index === texts.length - 1 ? () => resolve() : undefined);
      });
    });
  }

  /** A long-polling client takes something when it asks the next time, a WebSocket when what was written is on its way. */
  async #writable(): Promise<void> {
    const connection = this.#connection;
    while (!this.#isClosed && (!connection.transport.writable || holdsPackets(connection))) {
      const { transport } = connection;
      await new Promise<void>((resolve) => {
        const done = () => {
          transport.off("ready", done);
          connection.off("upgrade", done);
          resolve();
        };
        this.#proceed = done;
        transport.once("ready", done);
        connection.once("upgrade", done);
      });
    }
  }
}

function holdsPackets(connection: Connection): boolean {
  return (connection as unknown as { readonly writeBuffer: readonly unknown[] }).writeBuffer.length > 0;
}

/** Whether frames can be handed to the WebSocket as they are: `wsPreEncodedFrame` is what Socket.IO itself broadcasts with. */
function takesFrames({ transport }: Connection): boolean {
  const { socket } = transport as unknown as { socket?: { _sender?: { sendFrame?: unknown } } };
  return transport.name === "websocket" && typeof socket?._sender?.sendFrame === "function";
}
