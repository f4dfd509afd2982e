/** Engine.IO's type of a packet that carries one of Socket.IO. */
const message = "4";
/** Socket.IO's type of an event, on the namespace `/`. */
const event = "2";

const finalText = 0x81;
const twoByteLength = 126;
const eightByteLength = 127;
const maxTwoByteLength = 0xffff;

/** An event of Socket.IO as its text. Nothing that we send is binary. */
export function eventPacket(name: string, data?: unknown): string {
  return event + JSON.stringify(data === undefined ? [name] : [name, data]);
}

/**
 * Packets as the frames that a WebSocket server sends for them, one after the other: made once for all sockets and written
 * with one call, where Socket.IO would encode and write each packet for each socket.
 */
export function textFrames(packets: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  for (const packet of packets) {
    const payload = Buffer.from(message + packet, "utf8");
    parts.push(header(payload.length), payload);
  }
  return Buffer.concat(parts);
}

function header(length: number): Buffer {
  if (length < twoByteLength) return Buffer.from([finalText, length]);
  if (length <= maxTwoByteLength) {
    const bytes = Buffer.from([finalText, twoByteLength, 0, 0]);
    bytes.writeUInt16BE(length, 2);
    return bytes;
  }
  const bytes = Buffer.from([finalText, eightByteLength, 0, 0, 0, 0, 0, 0, 0, 0]);
  bytes.writeBigUInt64BE(BigInt(length), 2);
  return bytes;
}
