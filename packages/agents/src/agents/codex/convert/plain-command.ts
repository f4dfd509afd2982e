const wrapped = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c '([^']*)'$/s;
const wrappedWord = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c ([^\s'"\\]+)$/;
const wrappedInDoubleQuotes = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c "([^"\\$`]*)"$/s;

/** `/bin/bash -lc 'npm test'` → `npm test`, where the quoting is so simple that nothing can be misread. */
export function plainCommand(command: string): string {
  const match = wrapped.exec(command) ?? wrappedWord.exec(command) ?? wrappedInDoubleQuotes.exec(command);
  return match?.[1] ?? command;
}
