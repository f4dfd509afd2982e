import { constants, fstatSync, openSync, writeSync } from "node:fs";

/** Waiting log lines beyond this are dropped and counted. */
const maxWaitingBytes = 1024 * 1024;
const retryMs = 50;

/** Takes what it can without waiting and answers how many bytes that were; -1 when nobody will ever read them. */
export type LogSink = (bytes: Buffer) => number;

export interface LogOutput {
  write(line: string): void;
}

/**
 * Log lines go out in order and never wait for their reader: what it does not take is kept up to a bound, then dropped.
 * `onDropped` is called with the count once there is room again.
 */
export function createLogOutput(
  onDropped: (count: number) => void,
  sink: LogSink = openStderr(),
  maxWaiting = maxWaitingBytes,
): LogOutput {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let retry: NodeJS.Timeout | undefined;

  const drain = () => {
    retry = undefined;
    while (waiting.length > 0) {
      const [first] = waiting as [Buffer];
      const taken = sink(first);
      if (taken < 0) {
        waiting = [];
        waitingBytes = 0;
        return;
      }
      waitingBytes -= taken;
      if (taken < first.length) {
        waiting[0] = first.subarray(taken);
        retry = setTimeout(drain, retryMs).unref();
        return;
      }
      waiting.shift();
    }
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    onDropped(count);
  };

  return {
    write(line) {
      const bytes = Buffer.from(line);
      if (waitingBytes + bytes.length > maxWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (retry === undefined) drain();
    },
  };
}

/**
 * A pipe or terminal that nobody reads blocks a plain write for ever. Opened again it gets a non-blocking mode of its
 * own, which is not shared with the parent's.
 */
function openStderr(): LogSink {
  try {
    const isFile = fstatSync(2).isFile();
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    const descriptor = isFile ? 2 : openSync("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY);
    return (bytes) => writeTo(descriptor, bytes);
  } catch {
    // A socket cannot be opened again, and other systems have no `/proc`.
    process.stderr.on("error", () => {});
    return writeToStream;
  }
}

function writeTo(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EAGAIN" ? 0 : -1;
  }
}

/** A stream that already holds lines is not given more. */
function writeToStream(bytes: Buffer): number {
  if (process.stderr.destroyed) return -1;
  if (process.stderr.writableNeedDrain) return 0;
  process.stderr.write(bytes);
  return bytes.length;
}
