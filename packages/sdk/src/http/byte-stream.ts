/** A response's body, read only as it is asked for, with its errors turned into others. */
export function byteStreamOf(
  body: ReadableStream<Uint8Array> | null,
  explain: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const reader = body?.getReader();
  const read = async () => {
    try {
      return await reader?.read();
    } catch (error) {
      throw explain(error);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await read();
        if (step?.value === undefined) controller.close();
        else controller.enqueue(step.value);
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
