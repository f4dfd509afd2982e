import { LogTail } from "../retries/log-tail.ts";
import type { AcpRetryLog, LogWriter } from "./retry-log.ts";

const LOOK_EVERY_MS = 1_000;
/** What the model said may reach us a little later than its agent went on. */
const LAG_MS = 250;

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
    this.#since = Math.max(this.#since, Date.now() - LAG_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookLater(writer: LogWriter): void {
    const timer = setTimeout(() => void this.#look(writer, timer), LOOK_EVERY_MS);
    this.#timer = timer;
  }

  async #look(writer: LogWriter, timer: NodeJS.Timeout): Promise<void> {
    const files = await this.#log.files(writer).catch(() => []);
    const lines = await this.#tail.read(files);
    if (this.#timer !== timer) return;
    this.#lookLater(writer);
    const retries = retriesSince(this.#since, lines, (line) => this.#log.readRetry(line, writer));
    for (const what of retries) this.#met(what);
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
