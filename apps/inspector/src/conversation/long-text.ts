/** Longer texts are shown from their end: nobody reads a book in a chat, and the page stays quick while one is written. */
const LONGEST_SHOWN = 60_000;
/** The beginning moves on in steps, so that what is shown changes only at its end in between. */
const STEP = 30_000;

/** Where to begin to show a text: 0, or a line's start near its end. */
export function shownFrom(text: string): number {
  if (text.length <= LONGEST_SHOWN) return 0;
  const from = Math.floor((text.length - STEP) / STEP) * STEP;
  const line = text.indexOf("\n", from);
  return line >= 0 && line < from + STEP / 2 ? line + 1 : from;
}
