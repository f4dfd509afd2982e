import type { FileNotice } from "@sandbox-agent-ts/protocol";
import type { EventBus } from "../../events/event-bus.ts";
import { PendingFileChanges } from "../../events/pending-file-changes.ts";
import type { Outlet } from "./outlet.ts";
import { eventPacket } from "./packets.ts";

/** A client that has not taken more than this is told to read the files again. */
const maxPending = 1_000;

/** What happens to the files of one session for one client, held to a limit where that reads slowly. */
export class FileNotices {
  readonly #sessionId: string;
  readonly #outlet: Outlet;
  readonly #pending = new PendingFileChanges(maxPending);
  readonly #stopListening: readonly (() => void)[];

  constructor(sessionId: string, bus: EventBus, outlet: Outlet) {
    this.#sessionId = sessionId;
    this.#outlet = outlet;
    const hear = (type: "created" | "modified" | "deleted") =>
      bus.on(
        `session:file:${type}`,
        ({ file }: FileNotice) => this.#add(() => this.#pending.add({ type, file })),
        sessionId,
      );
    this.#stopListening = [
      hear("created"),
      hear("modified"),
      hear("deleted"),
      bus.on("session:file:resync", () => this.#add(() => this.#pending.resync()), sessionId),
    ];
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.#outlet.withdraw(this.#key);
  }

  get #key(): string {
    return `session:file ${this.#sessionId}`;
  }

  #add(change: () => void): void {
    change();
    this.#outlet.notifyAll(this.#key, () => this.#packets());
  }

  #packets(): string[] {
    const sessionId = this.#sessionId;
    const { isResync, changes } = this.#pending.take();
    const told = changes.map(({ type, file }) => eventPacket(`session:file:${type}`, { sessionId, file }));
    return isResync ? [eventPacket("session:file:resync", { sessionId }), ...told] : told;
  }
}
