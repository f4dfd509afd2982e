import type { Root } from "hast";

let loading: Promise<(code: string, language: string) => Root | undefined> | undefined;

/** More than this is shown plain: colours would cost more than they help. */
const MAX_HIGHLIGHTED = 60_000;

/** Colour code; the languages are loaded when the first code is shown. Undefined: shown plain. */
export async function highlight(code: string, language: string): Promise<Root | undefined> {
  if (language === "" || code.length > MAX_HIGHLIGHTED) return undefined;
  loading ??= import("./highlighter.ts").then(({ highlightWith }) => highlightWith);
  try {
    return (await loading)(code, language);
  } catch {
    loading = undefined;
    return undefined;
  }
}
