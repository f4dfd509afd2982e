const shell = /(?:^|\/)(?:ba|z|da|k)?sh$/;

/** `/bin/bash -lc 'npm test'` → `npm test`. What is no such thing stays as it is. */
export function plainCommand(command: string): string {
  const [program = "", flag, script, ...rest] = splitWords(command) ?? [];
  const isWrapped = shell.test(program) && (flag === "-lc" || flag === "-c") && rest.length === 0;
  return isWrapped && script !== undefined ? script : command;
}

const wordPart = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y;
const space = /\s+/y;

/** The words of a quoted command line; `undefined` when its quotes are not closed. */
function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;
  let isNewWord = true;
  while (at < line.length) {
    space.lastIndex = at;
    wordPart.lastIndex = at;
    const part = space.exec(line) ?? wordPart.exec(line);
    if (!part) return undefined;
    at += part[0].length;
    const [, single, double, escaped, bare] = part;
    const text = single ?? double?.replace(/\\([\\"$`])/g, "$1") ?? escaped ?? bare;
    if (text !== undefined) words.push(isNewWord ? text : `${words.pop()}${text}`);
    isNewWord = text === undefined;
  }
  return words;
}
