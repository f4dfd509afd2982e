/** Rollouts name some paths as `file://` URLs. */
export function plainPath(path: unknown): string {
  const text = typeof path === "string" ? path : "";
  return text.startsWith("file://") ? decodeURIComponent(new URL(text).pathname) : text;
}
