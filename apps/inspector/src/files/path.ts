export function joinPath(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/** `a/b` → the way down to it: `a`, then `a/b`. */
export function stepsOf(path: string): { name: string; path: string }[] {
  const names = path.split("/").filter((name) => name !== "");
  return names.map((name, at) => ({ name, path: names.slice(0, at + 1).join("/") }));
}
