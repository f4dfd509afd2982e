let segmenter: Intl.Segmenter | undefined;

/** Made when it is first needed: a server that starts does not wait for it. */
function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

const wide =
  /[\p{Emoji_Presentation}\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u;
const invisible = /^[\p{Mark}\p{Format}]+$/u;
const plain = /^[\x20-\x7e]*$/;

/** How many columns of a terminal a text takes; it has no control characters. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return graphemesOf(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);
}

function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

const ELLIPSIS = "…";

/** The text in at most so many columns: what does not fit is replaced by an ellipsis, at the end or in the middle. */
export function shorten(text: string, columns: number, where: "end" | "middle" = "end"): string {
  if (textWidth(text) <= columns) return text;
  if (columns <= 1) return ELLIPSIS.slice(0, Math.max(0, columns));
  const tail = where === "end" ? 0 : Math.ceil((columns - 1) / 2);
  const all = graphemesOf(text);
  const start = taken(all, columns - 1 - tail);
  return `${start}${ELLIPSIS}${taken(all.toReversed(), tail, true)}`;
}

function taken(segments: readonly string[], columns: number, isReversed = false): string {
  const found: string[] = [];
  let left = columns;
  for (const segment of segments) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    found.push(segment);
  }
  return (isReversed ? found.toReversed() : found).join("");
}

/** Text of others may hold anything; what is shown is one line and never steers the terminal. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}

/** The same, except that line breaks and tabs stay. */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
