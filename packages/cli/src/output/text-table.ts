import { type Paint, paintNothing, type Tone } from "./terminal.ts";
import { oneLine, shorten, textWidth } from "./text-width.ts";
import { hangingWords } from "./wrap-words.ts";

const GAP = "  ";
const NARROWEST = 6;

export interface Column {
  readonly title: string;
  /** Where a cell is cut when the table is wider than the terminal; columns without are cut only if these do not suffice. */
  readonly shrink?: "end" | "middle";
  readonly tone?: (cell: string) => Tone | undefined;
}

export interface TableStyle {
  /** How wide a line may be. */
  readonly columns?: number;
  readonly paint?: Paint;
}

/** Left-aligned columns with a header in capitals, nothing after the last; fitted to a width if there is one. */
export function textTable(
  header: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
  style: TableStyle = {},
): string {
  const columns = header.map((column): Column => (typeof column === "string" ? { title: column } : column));
  const titles = columns.map(({ title }) => title.toUpperCase());
  const cells = rows.map((row) => row.map(oneLine));
  const paint = style.paint ?? paintNothing;
  const widths = fittedWidths(columns, [titles, ...cells], style.columns ?? Number.POSITIVE_INFINITY);
  const line = (row: readonly string[], tone: (column: Column, cell: string) => Tone | undefined): string =>
    row.map((cell, at) => painted(paint, tone(columns[at]!, cell), cell, widths[at]!, columns[at]!.shrink)).join(GAP);
  return [line(titles, () => "dim"), ...cells.map((row) => line(row, (column, cell) => column.tone?.(cell)))]
    .map((text) => `${text.trimEnd()}\n`)
    .join("");
}

function painted(
  paint: Paint,
  tone: Tone | undefined,
  cell: string,
  width: number,
  shrink: Column["shrink"] = "end",
): string {
  const text = shorten(cell, width, shrink);
  return (tone === undefined ? text : paint(tone, text)) + " ".repeat(width - textWidth(text));
}

/** As wide as the widest cell; when that is too much, first the widest of those that may shrink, then any. */
function fittedWidths(columns: readonly Column[], rows: readonly (readonly string[])[], limit: number): number[] {
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ""))));
  const gaps = GAP.length * (columns.length - 1);
  let excess = widths.reduce((sum, width) => sum + width, gaps) - limit;
  for (const candidates of [columns.map(({ shrink }) => shrink !== undefined), columns.map(() => true)]) {
    while (excess > 0) {
      const most = Math.max(...widths.map((width, at) => (candidates[at] ? width : 0)));
      if (most <= NARROWEST) break;
      widths[widths.lastIndexOf(most)]! -= 1;
      excess -= 1;
    }
  }
  return widths;
}

/** Names and values beneath each other; what is absent is left out, and what is too wide goes on below itself. */
export function propertyList(properties: Readonly<Record<string, unknown>>, style: TableStyle = {}): string {
  const { columns = Number.POSITIVE_INFINITY, paint = paintNothing } = style;
  const rows = Object.entries(properties)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, oneLine(typeof value === "string" ? value : JSON.stringify(value))] as const);
  const width = Math.max(0, ...rows.map(([name]) => textWidth(name)));
  const line = (name: string, value: string): string =>
    `${paint("dim", name)}${" ".repeat(width - textWidth(name))}${GAP}${value}`.trimEnd();
  const indent = width + GAP.length;
  return rows.map(([name, value]) => `${line(name, hangingWords(value, columns, indent))}\n`).join("");
}
