import type { AgentLogger } from "@sandbox-agent-ts/agents";
import type { LogFormat, LogLevel } from "./daemon-options.ts";

type Level = keyof AgentLogger;

const ranks: Record<LogLevel, number> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

/**
 * Log lines on stderr, as JSON by pino or as text. Either is loaded with the first line that is due: a daemon that only
 * starts and waits does not carry it.
 */
export function createLogger(level: LogLevel, format: LogFormat = "json"): AgentLogger {
  let target: Promise<AgentLogger> | undefined;
  const write = (at: Level) => (fields: object, message: string) => {
    if (ranks[at] > ranks[level]) return;
    target ??= format === "json" ? load(level) : import("./text-log.ts").then(({ createTextLog }) => createTextLog());
    void target.then((log) => log[at](fields, message));
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

async function load(level: LogLevel): Promise<AgentLogger> {
  const { default: pino } = await import("pino");
  const log: AgentLogger = pino(
    { level, base: null, redact: ["headers.authorization", 'headers["x-sandbox-token"]', "headers.cookie"] },
    pino.destination({ dest: 2, sync: true }),
  );
  return log;
}
