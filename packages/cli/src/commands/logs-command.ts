import { closeSync, fstatSync, openSync, readSync, unwatchFile, watchFile } from "node:fs";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { type Command, InvalidArgumentError } from "commander";
import { logPath } from "../background/run-record.ts";
import { dataDirectory } from "../data-dir.ts";
import { exitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import { withoutControls } from "../output/text-width.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

const DEFAULT_LINES = 50;
const LOOK_EVERY_MS = 200;
/** Enough for many lines; more of an old log is not read for its last ones. */
const MAX_TAIL_BYTES = 4_000_000;

interface LogsFlags {
  readonly follow?: true;
  readonly lines: number;
}

export function addLogsCommand(program: Command, finish: Finish): void {
  const command = program
    .command("logs")
    .description("Show the log of a daemon that `daemon start` started")
    .option("-f, --follow", "go on with what is written from now on")
    .option("-n, --lines <count>", "how many of the last lines", wholeNumber, DEFAULT_LINES)
    .addHelpText("after", examplesHelp(["logs", "logs -f", "logs --lines 500 --json | jq 'select(.level >= 40)'"]));
  command.action(async ({ follow, lines }: LogsFlags) => {
    const { dataDir, json } = command.optsWithGlobals<{ dataDir?: string; json?: true }>();
    const out = new Output(process.stdout, { json });
    const { textOfJsonLog } = await import("@sandbox-agent-ts/daemon");
    const isColored = out.paint("red", "x") !== "x";
    const shown = (line: string): string =>
      out.isForPeople ? (textOfJsonLog(line, isColored) ?? `${withoutControls(line)}\n`) : `${line}\n`;
    const log = openLog(logPath(dataDirectory(dataDir, process.env)));
    for (const line of lines === 0 ? [] : log.next().slice(-lines)) await out.write(shown(line));
    if (!follow) return finish(exitCode.ok);
    await log.follow(async (line) => out.write(shown(line)));
  });
}

interface Log {
  /** The lines since the last call; at first all there are, or the last ones of a long log. */
  next(): string[];
  /** Runs until the process is ended. */
  follow(onLine: (line: string) => Promise<void>): Promise<never>;
}

function openLog(path: string): Log {
  const file = openFile(path);
  let position = Math.max(0, fstatSync(file).size - MAX_TAIL_BYTES);
  let rest = Buffer.alloc(0);
  const next = (): string[] => {
    const { size } = fstatSync(file);
    if (size < position) position = 0;
    const bytes = Buffer.alloc(size - position);
    position += readSync(file, bytes, 0, bytes.length, position);
    const all = Buffer.concat([rest, bytes]);
    const end = all.lastIndexOf("\n") + 1;
    rest = all.subarray(end);
    return all.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  };
  const follow = (onLine: (line: string) => Promise<void>): Promise<never> =>
    new Promise((_, reject) => {
      let written = Promise.resolve();
      const read = (): void => {
        for (const line of next()) written = written.then(() => onLine(line));
        written.catch((error: unknown) => {
          unwatchFile(path);
          closeSync(file);
          reject(error);
        });
      };
      watchFile(path, { interval: LOOK_EVERY_MS }, read);
      read();
    });
  return { next, follow };
}

function openFile(path: string): number {
  try {
    return openSync(path, "r");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    const advice = "`sandbox-agent daemon start` writes one; `sandbox-agent server` logs to its terminal.";
    throw new SandboxError("not_found", `There is no log at ${path}. ${advice}`, { cause });
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
