const otherTypes: Readonly<Record<string, string>> = { jpg: "image/jpeg", svg: "image/svg+xml" };

/** What a file is by the ending of its name, supposing that it is an image. */
export function imageMime(path: string): string | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  return extension === undefined ? undefined : (otherTypes[extension] ?? `image/${extension}`);
}
