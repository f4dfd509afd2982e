import { SandboxAgentError } from "../sandbox-agent-error.ts";

export interface StreamConnection {
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** Ends the connection from outside. */
  readonly signal: AbortSignal;
  /** Without a byte for this long the connection counts as lost; the daemon sends a heartbeat every 15 s. */
  readonly stallMs: number;
}

/** What a stream's bytes say: answers what is whole by now. */
export interface StreamParser<Frame> {
  feed(bytes: Uint8Array): readonly Frame[];
}

/**
 * Open one connection and read it to its end: its frames, in batches as they arrived together. A frame
 * that was cut off is not delivered. Returns when the server closes; throws when the connection breaks, stalls or is
 * aborted. Leaving the loop closes it. `parserFor` is undefined for a type of content that is no such stream.
 */
export async function* readStream<Frame>(
  { open, signal, stallMs }: StreamConnection,
  parserFor: (type: string) => StreamParser<Frame> | undefined,
): AsyncGenerator<readonly Frame[], void> {
  const connection = new AbortController();
  const close = (): void => connection.abort(signal.reason);
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();
  const watched = <T>(step: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => connection.abort(stalled(stallMs)), stallMs);
    return step.finally(() => clearTimeout(timer));
  };
  try {
    const response = await watched(open(connection.signal));
    const type = response.headers.get("content-type") ?? "nothing";
    const parser = parserFor(type);
    if (!response.body || !parser) throw notAStream(response, type);
    const reader = response.body.getReader();
    connection.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
    for (let step = await watched(reader.read()); !step.done; step = await watched(reader.read())) {
      const frames = parser.feed(step.value);
      if (frames.length > 0) yield frames;
    }
    connection.signal.throwIfAborted();
  } catch (error) {
    throw connection.signal.aborted ? connection.signal.reason : lost(error);
  } finally {
    signal.removeEventListener("abort", close);
    connection.abort();
  }
}

function notAStream(response: Response, type: string): SandboxAgentError {
  const message = `The server answered with ${type} instead of an event stream; is this a Sandbox Agent daemon?`;
  return new SandboxAgentError(response.status, undefined, response, message);
}

const stalled = (stallMs: number): SandboxAgentError =>
  SandboxAgentError.withoutResponse(`The event stream was silent for ${stallMs} ms.`);

const lost = (error: unknown): SandboxAgentError =>
  error instanceof SandboxAgentError
    ? error
    : SandboxAgentError.withoutResponse("The event stream's connection was lost.", error);
