import { Readable } from "node:stream";

/**
 * Bytes as a stream that is read only as they are taken. `Readable.toWeb` would throw where nobody can catch it when the
 * stream is cancelled while bytes are on their way.
 */
export function streamOf(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = Symbol.asyncIterator in bytes ? bytes[Symbol.asyncIterator]() : bytes[Symbol.iterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        // An iterator that was never asked for anything would leave it open.
        if (bytes instanceof Readable) bytes.destroy();
        else await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
