/** Of what a tool is called with, what says most about the call; the first that is there. */
const telling = ["command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt"];

/** A tool call in a few words: `Bash ls -la`. */
export function toolSummary(name: string, json: string): string {
  const input = parse(json);
  const value = telling.map((key) => input[key]).find((found) => found !== undefined && found !== "");
  if (value === undefined) return Object.keys(input).length === 0 ? name : `${name} ${JSON.stringify(input)}`;
  return `${name} ${Array.isArray(value) ? value.join(" ") : typeof value === "string" ? value : JSON.stringify(value)}`;
}

function parse(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
