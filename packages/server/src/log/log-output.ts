import { constants, copyFileSync, fstatSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from "node:fs";

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
  sink: LogSink,
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

/** A log file of ours that is larger is moved aside, to `.1`; there is one of those. */
const maxFileBytes = 10 * 1024 * 1024;

/**
 * A pipe or terminal that nobody reads blocks a plain write for ever. Opened again it gets a non-blocking mode of its
 * own, which is not shared with the parent's.
 */
export function openStderr(ownFile: string | undefined): LogSink {
  try {
    if (fstatSync(2).isFile()) return ownFile === undefined ? (bytes) => writeTo(2, bytes) : rotating(2, ownFile);
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    const descriptor = openSync("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY);
    return (bytes) => writeTo(descriptor, bytes);
  } catch {
    // A socket cannot be opened again, and other systems have no `/proc`.
    process.stderr.on("error", () => {});
    return writeToStream;
  }
}

/** The descriptor must append. What the file holds is copied, so that whoever has it open goes on with the same file. */
export function rotating(descriptor: number, path: string, limit = maxFileBytes): LogSink {
  let { size } = fstatSync(descriptor);
  return (bytes) => {
    if (size + bytes.length > limit && statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino) {
      rmSync(`${path}.1`, { force: true });
      copyFileSync(path, `${path}.1`, constants.COPYFILE_EXCL);
      ftruncateSync(descriptor);
      size = 0;
    }
    size += bytes.length;
    return writeTo(descriptor, bytes);
  };
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
