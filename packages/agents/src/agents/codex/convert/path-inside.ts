/** The path as seen from the directory, where it lies inside of it; pure, and of the other kind of machine, too. */
export function pathInside(directory: string, path: string): string | undefined {
  const root = partsOf(directory);
  const parts = isAbsolute(path) ? partsOf(path) : [...root, ...path.split(separator(directory))];
  const resolved = resolve(parts);
  const from = resolve(root);
  const isInside = resolved.length > from.length && from.every((part, at) => part === resolved[at]);
  return isInside ? resolved.slice(from.length).join("/") : undefined;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
}

function separator(path: string): RegExp {
  return path.startsWith("/") ? /\// : /[\\/]/;
}

function partsOf(path: string): string[] {
  return path.split(separator(path));
}

function resolve(parts: readonly string[]): string[] {
  const resolved: string[] = [];
  for (const part of parts) {
    if (part === "..") resolved.pop();
    else if (part !== "" && part !== ".") resolved.push(part);
  }
  return resolved;
}
