import { LogTail } from "../retries/log-tail.ts";

const LOOK_EVERY_MS = 1_000;
/** What the model said may reach us a little later than its agent went on. */
const LAG_MS = 250;

/** A process that writes a log. */
export interface LogWriter {
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  /** When it was started, in ms. */
  readonly startedAt: number;
  readonly nativeSessionId: string;
}

/** The log of an agent that tells nobody else when it asks its model again. Its lines begin with, or hold, their time in UTC. */
export interface AcpRetryLog {
  /** The files it may be in. */
  files(writer: LogWriter): Promise<readonly string[]>;
  /** What a try met that failed and is followed by another; `undefined` for any other line. Pure. */
  readRetry(line: string, writer: LogWriter): string | undefined;
}

/** Looks into the log while a turn runs. */
export class RetryWatch {
  readonly #log: AcpRetryLog;
  readonly #met: (what: string) => void;
  readonly #tail = new LogTail();
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: AcpRetryLog, met: (what: string) => void) {
    this.#log = log;
    this.#met = met;
  }

  begin(writer: LogWriter): void {
    this.#since = Date.now();
    this.#lookLater(writer);
  }

  /** The model has answered: what failed before is over. */
  answered(): void {
    this.#since = Date.now() - LAG_MS;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookLater(writer: LogWriter): void {
    const timer = setTimeout(async () => {
      const lines = await this.#log.files(writer).then(
        (files) => this.#tail.read(files),
        () => [],
      );
      if (this.#timer !== timer) return;
      const retries = retriesSince(this.#since, lines, (line) => this.#log.readRetry(line, writer));
      for (const what of retries) this.#met(what);
      if (this.#timer === timer) this.#lookLater(writer);
    }, LOOK_EVERY_MS);
    this.#timer = timer;
  }
}

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/;

/** What tries met, of those that failed since then. Pure. */
export function retriesSince(
  since: number,
  lines: readonly string[],
  readRetry: (line: string) => string | undefined,
): string[] {
  return lines.flatMap((line) => {
    const what = readRetry(line);
    return what === undefined || !(Date.parse(time.exec(line)?.[0] ?? "") >= since) ? [] : [what];
  });
}
