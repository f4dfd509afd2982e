import { SandboxError } from "@sandbox-agent-ts/protocol";

const gzipMagic = [0x1f, 0x8b];
/** A tar ends with at least this many zero bytes. */
const endMarkBytes = 1024;

/**
 * Passes an archive on and looks at its two ends: a gzip at the start is refused with a sentence of its own, and a missing
 * end mark, which shows that the archive was cut between two entries, is not taken for success.
 */
export async function* checkedArchive(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  let tail: Buffer = Buffer.alloc(0);
  let started = false;
  for await (const bytes of body) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (chunk.length === 0) continue;
    if (!started && gzipMagic.every((byte, index) => byte === (chunk[index] ?? byte))) throw compressed();
    started = true;
    tail = (chunk.length < endMarkBytes ? Buffer.concat([tail, chunk]) : chunk).subarray(-endMarkBytes);
    yield chunk;
  }
  if (tail.length < endMarkBytes || tail.some((byte) => byte !== 0)) throw cutOff();
}

function compressed(): SandboxError {
  return new SandboxError("unsupported_media_type", "The archive is gzipped. Send an uncompressed tar.");
}

function cutOff(): SandboxError {
  return new SandboxError(
    "invalid_request",
    "The archive has no end mark: it was cut off. Send a whole, uncompressed tar.",
  );
}
