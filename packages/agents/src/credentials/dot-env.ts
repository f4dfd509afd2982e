/** The variables of a file `.env`, as far as we have to know it: `NAME=value` or `export NAME="value"`. Pure. */
export function parseDotEnv(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const [, name, value] = /^\s*(?:export\s+)?(\w+)\s*=(.*)$/.exec(line) ?? [];
    if (name !== undefined) variables[name] = unquoted(value!.trim());
  }
  return variables;
}

function unquoted(value: string): string {
  const quote = value[0];
  return value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote) ? value.slice(1, -1) : value;
}
