import type { Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
import type { Environment } from "../data-dir.ts";

const DEFAULT_COLUMNS = 80;

const tones = ["bold", "dim", "red", "green", "yellow", "blue", "magenta", "cyan"] as const;
export type Tone = (typeof tones)[number];

/** Wraps text in a colour, or leaves it as it is. */
export type Paint = (tone: Tone, text: string) => string;

export const paintNothing: Paint = (_, text) => text;
const paintColor: Paint = (tone, text) => (text === "" ? "" : styleText(tone, text, { validateStream: false }));

/** What is at the other end of a stream: a person's terminal with a width, or a program. Either may want colours. */
export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly paint: Paint;
}

export function terminalOf(stream: Writable, env: Environment = process.env): Terminal {
  const tty = stream as Partial<WriteStream>;
  const isTerminal = tty.isTTY === true;
  const columns = tty.columns || DEFAULT_COLUMNS;
  return { isTerminal, columns, paint: hasColors(tty, env) ? paintColor : paintNothing };
}

/** `NO_COLOR` and `FORCE_COLOR` win, in this order (no-color.org, force-color.org); otherwise a terminal that has colours. */
function hasColors(stream: Partial<WriteStream>, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "") return !/^(0|false)$/.test(env.FORCE_COLOR);
  return stream.isTTY === true && env.TERM !== "dumb";
}
