import { eventRecordsType } from "@sandbox-agent-ts/protocol";

const streams = ["text/event-stream", eventRecordsType];

/**
 * The same answer, whose body fails when it turns out to be longer than a sandbox may send. Streams of events have no end,
 * where one was `asked` for: the sandbox may say of any answer that it is one.
 */
export function boundedAnswer(response: Response, maxBytes: number, asked: string): Response {
  const type = response.headers.get("content-type") ?? "";
  const isStream = response.ok && streams.some((stream) => asked.includes(stream) && type.startsWith(stream));
  if (response.body === null || isStream) return response;
  let bytes = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) controller.enqueue(chunk);
        else controller.error(new Error(`The sandbox answered with more than ${maxBytes} bytes.`));
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
}
