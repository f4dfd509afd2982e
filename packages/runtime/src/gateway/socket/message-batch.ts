import { messagesAfter, type SessionMessage } from "@sandbox-agent-ts/protocol";
import { eventPacket, textFrames } from "./packets.ts";

/** What a transport takes at once: the same packets, each as text, and all of them as WebSocket frames. */
export interface Packets {
  readonly texts: readonly string[];
  readonly frames: Buffer;
}

/** The messages of consecutive events of a log. They are encoded when the first socket wants them, for all sockets. */
export class MessageBatch implements Packets {
  /** The first event whose messages are in it. */
  readonly first: number;
  /** The last one, and so the cursor behind it. */
  readonly last: number;
  /** About the characters that it takes. */
  readonly size: number;
  readonly #messages: readonly SessionMessage[];
  #texts: readonly string[] | undefined;
  #frames: Buffer | undefined;

  constructor(
    range: { readonly first: number; readonly last: number; readonly size: number },
    messages: readonly SessionMessage[],
  ) {
    this.first = range.first;
    this.last = range.last;
    this.size = range.size;
    this.#messages = messages;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  get texts(): readonly string[] {
    this.#texts ??= this.#messages.map(({ name, data }) => eventPacket(name, data));
    return this.#texts;
  }

  get frames(): Buffer {
    this.#frames ??= textFrames(this.texts);
    return this.#frames;
  }

  /** The messages after a cursor; the batch itself where that is all of them. */
  after(cursor: number): MessageBatch {
    if (cursor <= this.first - 1) return this;
    return new MessageBatch(this, messagesAfter(this.#messages, cursor));
  }
}
