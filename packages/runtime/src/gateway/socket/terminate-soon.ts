import type { Socket as Connection } from "engine.io";

/** How long a client has to take what it was sent last, and to confirm the end. */
const graceMs = 2_000;

/** End a WebSocket that is being closed, a moment later, even if its client reads nothing and so never confirms it. */
export function terminateSoon({ transport }: Connection): void {
  const { socket } = transport as unknown as { readonly socket?: { terminate?(): void } };
  setTimeout(() => socket?.terminate?.(), graceMs).unref();
}
