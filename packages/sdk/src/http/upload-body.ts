export interface UploadBody {
  readonly body: ReadableStream;
  /** The call is over: what was not read of the source is let go of. */
  release(): void;
}

/**
 * A streamed body that ends with its call. Node's `fetch` alone leaves a source that the server refused waiting for ever,
 * and after a lost connection reads an endless one on at full speed.
 */
export function uploadBodyOf(source: ReadableStream): UploadBody {
  const reader = source.getReader();
  let fail: ((reason: Error) => void) | undefined;
  const body = new ReadableStream(
    {
      start: (controller) => {
        fail = (reason) => controller.error(reason);
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const release = (): void => {
    fail?.(new Error("The call that this body belongs to is over."));
    reader.cancel().catch(() => {});
  };
  return { body, release };
}
