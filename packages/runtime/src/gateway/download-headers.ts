/** What a sandbox has is never shown as a page of ours: a browser keeps it, and takes it for nothing else. */
export const downloadHeaders = {
  "content-type": "application/octet-stream",
  "content-disposition": "attachment",
  "x-content-type-options": "nosniff",
} as const;

/** As which a browser makes nothing of it. */
const harmless = new Set([
  "application/json",
  "application/problem+json",
  "application/x-ndjson",
  "application/x-tar",
  "text/event-stream",
]);

/** Of the headers of a daemon's answer, which may say anything, those that may be passed on. */
export function safeHeaders(given: Headers): Headers {
  const safe = new Headers(downloadHeaders);
  const [type = ""] = (given.get("content-type") ?? "").split(";");
  if (harmless.has(type)) safe.set("content-type", type);
  for (const name of ["content-length", "last-modified", "etag"]) {
    const value = given.get(name);
    if (value !== null) safe.set(name, value);
  }
  return safe;
}
