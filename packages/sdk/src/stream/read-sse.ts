import { createParser } from "eventsource-parser";
import { SandboxAgentError } from "../sandbox-agent-error.ts";

/** Longest frame that is taken; beyond it the server is not one of ours. */
const MAX_FRAME_CHARS = 256 * 1024 * 1024;

export interface SseConnection {
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** Ends the connection from outside. */
  readonly signal: AbortSignal;
  /** Without a byte for this long the connection counts as lost; the daemon sends a heartbeat every 15 s. */
  readonly stallMs: number;
}

export interface SseFrame {
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * Open one connection and read it to its end: its frames, in batches as they arrived together. A frame
 * that was cut off is not delivered. Returns when the server closes; throws when the connection breaks, stalls or is
 * aborted. Leaving the loop closes it.
 */
export async function* readSse({ open, signal, stallMs }: SseConnection): AsyncGenerator<readonly SseFrame[], void> {
  const connection = new AbortController();
  const close = (): void => connection.abort(signal.reason);
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();
  const watched = <T>(step: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => connection.abort(stalled(stallMs)), stallMs);
    return step.finally(() => clearTimeout(timer));
  };
  try {
    const reader = eventStreamBody(await watched(open(connection.signal))).getReader();
    connection.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
    yield* frames(() => watched(reader.read()));
    connection.signal.throwIfAborted();
  } catch (error) {
    throw connection.signal.aborted ? connection.signal.reason : lost(error);
  } finally {
    signal.removeEventListener("abort", close);
    connection.abort();
  }
}

async function* frames(
  read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>,
): AsyncGenerator<readonly SseFrame[], void> {
  const decoder = new TextDecoder();
  let batch: SseFrame[] = [];
  const parser = createParser({ onEvent: ({ id, data }) => batch.push({ id, data }), maxBufferSize: MAX_FRAME_CHARS });
  for (let step = await read(); !step.done; step = await read()) {
    parser.feed(decoder.decode(step.value, { stream: true }));
    if (batch.length === 0) continue;
    const arrived = batch;
    batch = [];
    yield arrived;
  }
}

function eventStreamBody(response: Response): ReadableStream<Uint8Array> {
  const type = response.headers.get("content-type") ?? "nothing";
  if (response.body && type.startsWith("text/event-stream")) return response.body;
  const message = `The server answered with ${type} instead of an event stream; is this a Sandbox Agent daemon?`;
  throw new SandboxAgentError(response.status, undefined, response, message);
}

const stalled = (stallMs: number): SandboxAgentError =>
  SandboxAgentError.withoutResponse(`The event stream was silent for ${stallMs} ms.`);

const lost = (error: unknown): SandboxAgentError =>
  error instanceof SandboxAgentError
    ? error
    : SandboxAgentError.withoutResponse("The event stream's connection was lost.", error);
