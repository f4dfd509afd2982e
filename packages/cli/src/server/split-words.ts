const word = /(?:[^\s'"\\]|'[^']*'|"(?:[^"\\]|\\.)*"|\\.)+/gy;
const piece = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)/g;

/** The words of a command line, quoted as for a shell; nothing else of a shell is known. `undefined`: a quote is open. */
export function splitWords(line: string): string[] | undefined {
  const text = line.trim();
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    word.lastIndex = at;
    const found = word.exec(text)?.[0];
    if (found === undefined) return undefined;
    words.push(unquoted(found));
    at += found.length;
    while (/\s/.test(text.charAt(at))) at++;
  }
  return words;
}

function unquoted(quoted: string): string {
  return quoted.replaceAll(
    piece,
    (_all, single?: string, double?: string, escaped?: string, plain?: string) =>
      single ?? double?.replaceAll(/\\([\\"$`])/g, "$1") ?? escaped ?? plain ?? "",
  );
}
