import { createLogOutput, type LogOutput, openStderr } from "./log-output.ts";

export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFormat = "text" | "json";

type Write = (fields: object, message: string) => void;
export type Logger = Readonly<Record<"debug" | "info" | "warn" | "error", Write>>;
type Level = keyof Logger;

const ranks: Record<LogLevel, number> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };
/** As pino numbers them. */
const numbers: Record<Level, number> = { debug: 20, info: 30, warn: 40, error: 50 };

/** Where log lines go besides stderr, and what is taken out of them. */
export interface LogTarget {
  /** The file that stderr goes to, when it is ours. */
  readonly file?: string | undefined;
  readonly redact?: (line: string) => string;
}

export type LoadLog = (level: LogLevel, format: LogFormat, output: LogOutput) => Promise<Logger>;

/**
 * Log lines on stderr, as JSON by pino or as text. Either is loaded with the first line that is due: a daemon that only
 * starts and waits does not carry it. Where it cannot be loaded (no descriptors, files replaced by an upgrade) lines are
 * written plainly, and the next line tries again.
 */
export function createLogger(
  level: LogLevel,
  format: LogFormat = "json",
  { file, redact = (line) => line }: LogTarget = {},
  load: LoadLog = loadLog,
): Logger {
  let output: LogOutput | undefined;
  let target: Promise<Logger> | undefined;
  const write = (at: Level) => (fields: object, message: string) => {
    if (ranks[at] > ranks[level]) return;
    output ??= redacting(
      createLogOutput((lines) => log.warn({ lines }, "log lines were dropped: nobody read them"), openStderr(file)),
      redact,
    );
    const out = output;
    target ??= load(level, format, out);
    target.then(
      (loaded) => loaded[at](fields, message),
      () => {
        target = undefined;
        out.write(`${JSON.stringify({ level: numbers[at], time: Date.now(), msg: message })}\n`);
      },
    );
  };
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  return log;
}

function redacting(output: LogOutput, redact: (line: string) => string): LogOutput {
  return { write: (line) => output.write(redact(line)) };
}

async function loadLog(level: LogLevel, format: LogFormat, output: LogOutput): Promise<Logger> {
  if (format === "text") {
    const { createTextLog } = await import("./text-log.ts");
    return createTextLog((line) => output.write(line));
  }
  const { default: pino } = await import("pino");
  const log: Logger = pino(
    { level, base: null, redact: ["headers.authorization", 'headers["x-sandbox-token"]', "headers.cookie"] },
    output,
  );
  return log;
}
