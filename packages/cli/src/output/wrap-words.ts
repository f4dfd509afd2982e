import { textWidth } from "./text-width.ts";

/** Lines are not broken into pieces narrower than this: a terminal's own wrapping serves better then. */
const NARROWEST = 20;

/**
 * A text in lines of at most so many columns, broken between words. A longer word and what is between backticks stay whole,
 * so that they can be copied.
 */
export function wrapWords(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => (columns < NARROWEST ? [line] : wrapLine(line, columns)));
}

/** The same with everything behind the first line indented. */
export function hangingWords(text: string, columns: number, indent: number): string {
  const narrower = columns - indent;
  const lines = wrapWords(text, narrower);
  return narrower < NARROWEST ? text : lines.join(`\n${" ".repeat(indent)}`);
}

const spaceOutsideCode = / (?=(?:[^`]*`[^`]*`)*[^`]*$)/;

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current: string | undefined;
  for (const word of line.split(spaceOutsideCode)) {
    const longer: string = current === undefined ? word : `${current} ${word}`;
    if (current !== undefined && textWidth(longer) > columns) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current ?? ""];
}
