/** What a `SKILL.md` says of itself in front: the `name` and `description` of its YAML header, where they are plain text. */
export function readSkillHeader(text: string): { name?: string; description?: string } {
  const header = /^\uFEFF?---\r?\n(.*?)\r?\n---/s.exec(text)?.[1]?.split(/\r?\n/) ?? [];
  const name = field(header, "name");
  const description = field(header, "description");
  return { ...(name ? { name } : {}), ...(description ? { description } : {}) };
}

/** The value beside the name, or the indented lines below it. */
function field(header: readonly string[], name: string): string {
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
