const GAP = "  ";

/** Columns for people: left-aligned, as wide as their widest cell, a header in capitals, nothing after the last. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(oneLine))];
  return alignColumns(all);
}

/** Names and values beneath each other; what is absent is left out. */
export function propertyList(properties: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(properties)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, oneLine(typeof value === "string" ? value : JSON.stringify(value))]);
  return alignColumns(rows);
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join("");
}

/** Text of others may hold anything; a table is one line per row and never steers the terminal. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}
