import { createParser } from "eventsource-parser";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { CorruptStream } from "./event-cursor.ts";
import { Utf8Text } from "./utf8-text.ts";

/**
 * Longest frame that is taken; beyond it the server is not one of ours: an item has at most 8 Mi characters of text, each at
 * most six in JSON, and an agent's own line, which may come with it, at most 64 MiB.
 */
const MAX_FRAME_CHARS = 120 * 1024 * 1024;

export interface SseConnection {
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** Ends the connection from outside. */
  readonly signal: AbortSignal;
  /** Without a byte for this long the connection counts as lost; the daemon sends a heartbeat every 15 s. */
  readonly stallMs: number;
  /** Longer frames are refused. */
  readonly maxFrameChars?: number | undefined;
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
export async function* readSse(options: SseConnection): AsyncGenerator<readonly SseFrame[], void> {
  const { open, signal, stallMs, maxFrameChars = MAX_FRAME_CHARS } = options;
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
    yield* frames(() => watched(reader.read()), maxFrameChars);
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
  maxFrameChars: number,
): AsyncGenerator<readonly SseFrame[], void> {
  const text = new Utf8Text();
  let batch: SseFrame[] = [];
  let isTooLong = false;
  const parser = createParser({
    onEvent: ({ id, data }) => batch.push({ id, data }),
    onError: ({ type }) => {
      isTooLong ||= type === "max-buffer-size-exceeded";
    },
    maxBufferSize: maxFrameChars,
  });
  for (let step = await read(); !step.done; step = await read()) {
    if (step.value) parser.feed(text.decode(step.value));
    if (isTooLong) throw new CorruptStream(`A frame of the event stream has more than ${maxFrameChars} characters.`);
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
