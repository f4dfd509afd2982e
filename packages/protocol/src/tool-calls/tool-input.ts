export type ToolInput = Readonly<Record<string, unknown>>;

/** The input of a tool as an object; what is none, e.g. JSON that is still being written, has no fields. */
export function inputOf(raw: unknown): ToolInput {
  const value = typeof raw === "string" ? parsed(raw) : raw;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ToolInput) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first of these fields that is a text. */
export function textOf(input: ToolInput, names: readonly string[]): string | undefined {
  return names.map((name) => input[name]).find((value): value is string => typeof value === "string");
}

const pathFields = [
  "file_path",
  "filePath",
  "filepath",
  "path",
  "notebook_path",
  "absolute_path",
  "abs_path",
  "filename",
  "target_file",
  "dir_path",
  "directory",
];
const listFields = ["paths", "files", "file_paths", "filePaths", "include"];
/** From where to where. */
const endFields = ["source", "src", "from", "old_path", "oldPath", "destination", "dst", "to", "new_path", "newPath"];

/** The files that an input names, as it spells them. */
export function pathsOfInput(input: ToolInput, { withEnds = false }: { withEnds?: boolean } = {}): string[] {
  const single = [...(withEnds ? endFields : []), ...pathFields].map((name) => input[name]);
  const several = [...listFields.map((name) => input[name]), input.edits].flatMap((list) =>
    Array.isArray(list)
      ? list.flatMap((value: unknown) => (typeof value === "string" ? value : pathsOfInput(inputOf(value))))
      : [],
  );
  return [...single, ...several].filter((path): path is string => typeof path === "string" && path !== "");
}
