import { styleText } from "node:util";
import type { Logger } from "./logger.ts";

type Level = keyof Logger;
type Tone = "dim" | "red" | "yellow" | "cyan";

const tones = { debug: "dim", info: "cyan", warn: "yellow", error: "red" } as const satisfies Record<Level, Tone>;

/** Log lines for a person: time, level, what happened; a request is one short line. */
export function createTextLog(
  write: (line: string) => unknown = (line) => process.stderr.write(line),
  isColored = process.stderr.isTTY && process.stderr.hasColors(),
): Logger {
  const log =
    (level: Level) =>
    (fields: object, message: string): void =>
      void write(textLogLine({ time: new Date(), level, fields, message }, isColored));
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}

interface LogEntry {
  readonly time: Date;
  readonly level: Level;
  readonly fields: object;
  readonly message: string;
}

function textLogLine({ time, level, fields, message }: LogEntry, isColored: boolean): string {
  const paint = (tone: Tone, text: string): string =>
    isColored ? styleText(tone, text, { validateStream: false }) : text;
  const head = `${paint("dim", time.toTimeString().slice(0, 8))} ${paint(tones[level], level.padEnd(5))}`;
  const stack = level === "error" ? stackOf(fields) : "";
  return `${head} ${oneLine(sentence(message, { ...fields }))}\n${stack}`;
}

/** A line of the JSON log as text; undefined when it is none. */
export function textOfJsonLog(line: string, isColored: boolean): string | undefined {
  try {
    const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const name = levelNames[Number(level)];
    if (name === undefined || typeof time !== "number" || typeof msg !== "string") return undefined;
    return textLogLine({ time: new Date(time), level: name, fields, message: msg }, isColored);
  } catch {
    return undefined;
  }
}

/** As pino numbers them. */
const levelNames: Readonly<Record<number, Level>> = { 20: "debug", 30: "info", 40: "warn", 50: "error" };

function sentence(message: string, fields: Readonly<Record<string, unknown>>): string {
  if (message === "request") {
    const { method, url, status, ms, aborted } = fields;
    return `${method} ${url} ${status} ${ms} ms${aborted ? " (aborted)" : ""}`;
  }
  const facts = Object.entries(fields).flatMap(([name, value]) => (isSecret(name) ? [] : `${name}=${shown(value)}`));
  return [message, ...facts].join(" ");
}

/** Where an error came from; its message is in the line above. */
function stackOf(fields: object): string {
  const stack = "err" in fields && fields.err instanceof Error ? (fields.err.stack ?? "") : "";
  const calls = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return calls.map((line) => `${oneLine(line)}\n`).join("");
}

/** Headers carry tokens; in JSON they are redacted one by one. */
const isSecret = (name: string): boolean => name === "headers";

function shown(value: unknown): string {
  if (value instanceof Error) return `"${value.message}"`;
  return typeof value === "string" && /^[\w./:@-]+$/.test(value) ? value : (JSON.stringify(value) ?? "");
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}
