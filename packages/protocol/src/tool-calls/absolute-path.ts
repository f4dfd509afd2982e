/** Where a path is looked up. */
export interface PathBase {
  /** Absolute; what is relative is relative to it. */
  readonly directory?: string | undefined;
  /** What `~` stands for. */
  readonly home?: string | undefined;
}

/** The path without `.`, `..` and `~`; as it is where nobody says what it is relative to. Follows no links. Pure. */
export function absolutePath(path: string, { directory, home }: PathBase): string {
  const own = path.startsWith("file://") ? decodedUrl(path) : path;
  const whole = home !== undefined && /^~(?:\/|$)/.test(own) ? `${home}${own.slice(1)}` : own;
  if (isAbsolutePath(whole)) return normalized(whole);
  return directory === undefined ? whole : normalized(`${directory}/${whole}`);
}

function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || isOfWindows(path);
}

function isOfWindows(path: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(path);
}

function normalized(path: string): string {
  const [root, separator, sign] = isOfWindows(path) ? [path.slice(0, 3), /[\\/]+/, "\\"] : ["/", /\/+/, "/"];
  const parts: string[] = [];
  for (const part of path.slice(root.length).split(separator)) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return root + parts.join(sign);
}

function decodedUrl(url: string): string {
  try {
    return decodeURIComponent(url.replace(/^file:\/\/[^/]*/, ""));
  } catch {
    return url;
  }
}
