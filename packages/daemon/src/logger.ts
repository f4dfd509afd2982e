import type { AgentLogger } from "@sandbox-agent-ts/agents";
import type { LogFormat, LogLevel } from "./daemon-options.ts";
import { createLogOutput, type LogOutput, openStderr } from "./log-output.ts";

type Level = keyof AgentLogger;

const ranks: Record<LogLevel, number> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };
/** As pino numbers them. */
const numbers: Record<Level, number> = { debug: 20, info: 30, warn: 40, error: 50 };

export type LoadLog = (level: LogLevel, format: LogFormat, output: LogOutput) => Promise<AgentLogger>;

/**
 * Log lines on stderr, as JSON by pino or as text. Either is loaded with the first line that is due: a daemon that only
 * starts and waits does not carry it. Where it cannot be loaded (no descriptors, files replaced by an upgrade) lines are
 * written plainly, and the next line tries again.
 */
export function createLogger(
  level: LogLevel,
  format: LogFormat = "json",
  logFile?: string,
  load: LoadLog = loadLog,
): AgentLogger {
  let output: LogOutput | undefined;
  let target: Promise<AgentLogger> | undefined;
  const write = (at: Level) => (fields: object, message: string) => {
    if (ranks[at] > ranks[level]) return;
    output ??= createLogOutput(
      (lines) => log.warn({ lines }, "log lines were dropped: nobody read them"),
      openStderr(logFile),
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

async function loadLog(level: LogLevel, format: LogFormat, output: LogOutput): Promise<AgentLogger> {
  if (format === "text") {
    const { createTextLog } = await import("./text-log.ts");
    return createTextLog((line) => output.write(line));
  }
  const { default: pino } = await import("pino");
  const log: AgentLogger = pino(
    { level, base: null, redact: ["headers.authorization", 'headers["x-sandbox-token"]', "headers.cookie"] },
    output,
  );
  return log;
}
