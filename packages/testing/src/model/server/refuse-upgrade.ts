import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** Codex asks for a WebSocket first; 426 makes it use HTTP at once instead of trying again for seconds. */
export function refuseUpgrade(_request: IncomingMessage, socket: Duplex): void {
  socket.end("HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
}
