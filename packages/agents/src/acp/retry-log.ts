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
