export interface AnsiSpan {
  readonly text: string;
  /** Names of the stylesheet, never values: what a program prints cannot reach the page's style. */
  readonly classes: readonly string[];
}

const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** Every escape sequence there is: styles, cursor, titles and links (with their terminator), and lone controls. */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /\u001b\[([0-9;:<=>?]*)[ -/]*([@-~])|\u001b[\]P^_X][\s\S]*?(?:\u0007|\u001b\\|$)|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u007f\u009b]/g;

interface Style {
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  foreground: string | undefined;
  background: string | undefined;
}

/** What a program printed for a terminal, as pieces of plain text with the names of their styles. */
export function parseAnsi(output: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let style = plain();
  let from = 0;
  const text = overwritten(output);
  for (const match of text.matchAll(sequences)) {
    push(spans, text.slice(from, match.index), style);
    from = match.index + match[0].length;
    if (match[2] === "m") style = restyle(style, match[1] ?? "");
  }
  push(spans, text.slice(from), style);
  return spans;
}

/** A carriage return writes over its line, as progress bars do: the last state is the one that was left standing. */
function overwritten(output: string): string {
  if (!output.includes("\r")) return output;
  return output
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.split("\r").findLast((state) => state !== "") ?? "")
    .join("\n");
}

function push(spans: AnsiSpan[], text: string, style: Style): void {
  if (text !== "") spans.push({ text, classes: classesOf(style) });
}

function classesOf(style: Style): string[] {
  const { foreground, background, bold, dim, italic, underline } = style;
  const names = { bold, dim, italic, underline };
  const on = Object.entries(names).flatMap(([name, isOn]) => (isOn ? [`ansi-${name}`] : []));
  if (foreground) on.push(`ansi-${foreground}`);
  if (background) on.push(`ansi-on-${background}`);
  return on;
}

function plain(): Style {
  return { bold: false, dim: false, italic: false, underline: false, foreground: undefined, background: undefined };
}

function restyle(before: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number);
  let style = { ...before };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = extended(codes, at + 1);
      style[code === 38 ? "foreground" : "background"] = colour;
      at += used;
    } else if (code === 0) style = plain();
    else applyCode(style, code);
  }
  return style;
}

function applyCode(style: Style, code: number): void {
  if (code === 1) style.bold = true;
  else if (code === 2) style.dim = true;
  else if (code === 3) style.italic = true;
  else if (code === 4) style.underline = true;
  else if (code === 22) style.bold = style.dim = false;
  else if (code === 23) style.italic = false;
  else if (code === 24) style.underline = false;
  else if (code === 39) style.foreground = undefined;
  else if (code === 49) style.background = undefined;
  else if (isBetween(code, 30, 37)) style.foreground = colours[code - 30];
  else if (isBetween(code, 40, 47)) style.background = colours[code - 40];
  else if (isBetween(code, 90, 97)) style.foreground = colours[code - 90];
  else if (isBetween(code, 100, 107)) style.background = colours[code - 100];
}

/** Finer colours become the nearest of the eight, which are readable in both themes. */
function extended(codes: readonly number[], at: number): [string | undefined, number] {
  if (codes[at] === 5) return [ofPalette(codes[at + 1] ?? 0), 2];
  if (codes[at] === 2) return [nearest(codes[at + 1] ?? 0, codes[at + 2] ?? 0, codes[at + 3] ?? 0), 4];
  return [undefined, 0];
}

function ofPalette(index: number): string | undefined {
  if (index < 16) return colours[index % 8];
  if (index >= 232) return index < 244 ? "black" : "white";
  const cube = index - 16;
  const level = (value: number): number => value * 51;
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function nearest(red: number, green: number, blue: number): string | undefined {
  const strongest = Math.max(red, green, blue);
  const bit = (value: number): number => (value > strongest / 2 && strongest > 60 ? 1 : 0);
  return colours[bit(red) + 2 * bit(green) + 4 * bit(blue)];
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
