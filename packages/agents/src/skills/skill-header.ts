/** What a `SKILL.md` says of itself in front: the `name` and `description` of its YAML header, where they are plain text. */
export function readSkillHeader(text: string): { name?: string; description?: string } {
  const { field } = readHeader(text);
  const name = field("name");
  const description = field("description");
  return { ...(name ? { name } : {}), ...(description ? { description } : {}) };
}

/** The fields of a YAML header, as plain text, and what stands below it. */
export function readHeader(text: string): { field(name: string): string; readonly body: string } {
  const found = /^\uFEFF?---\r?\n(.*?)\r?\n---[^\S\n]*(?:\n|$)/s.exec(text);
  const header = found?.[1]?.split(/\r?\n/) ?? [];
  return { field: (name) => fieldOf(header, name), body: text.slice(found?.[0].length ?? 0).trim() };
}

/** The value beside the name, or the indented lines below it. */
function fieldOf(header: readonly string[], name: string): string {
  const at = header.findIndex((line) => line.startsWith(`${name}:`));
  if (at === -1) return "";
  const first = header[at]!.slice(name.length + 1).trim();
  const rest = header.slice(at + 1);
  const end = rest.findIndex((line) => /^\S/.test(line));
  const below = (end === -1 ? rest : rest.slice(0, end)).map((line) => line.trim());
  const isBlock = /^[|>][+-]?\d?$/.test(first);
  const value = [isBlock ? "" : first, ...below].filter(Boolean).join(" ");
  return /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value;
}
