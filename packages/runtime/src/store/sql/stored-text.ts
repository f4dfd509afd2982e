/** A character of private use, so that texts hardly ever have it. */
const mark = "\ue000";
/** Half characters, and what databases refuse or take for the end of a text. */
const unstorable = /[\0\ue000\p{Surrogate}]/gu;
const marked = /\ue000([0-9a-f]{4})/g;

/** Any text as one that every database stores. */
export function storedText(text: string): string {
  return text.replace(unstorable, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** The text that was stored by `storedText`. */
export function originalText(stored: string): string {
  if (!stored.includes(mark)) return stored;
  return stored.replace(marked, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
