import type { NpmSettings } from "./npmrc.ts";

/**
 * The header npm would send: credentials are kept under the address they are for, without its scheme (`//host/path/`),
 * and count for everything below.
 */
export function authorizationFor(target: string, settings: NpmSettings): string | undefined {
  for (const place of placesOf(new URL(target))) {
    const token = settings[`${place}:_authToken`];
    if (token) return `Bearer ${token}`;
    const pair = settings[`${place}:_auth`];
    if (pair) return `Basic ${pair}`;
    const username = settings[`${place}:username`];
    const password = settings[`${place}:_password`];
    if (username && password) return basic(username, password);
  }
  return undefined;
}

/** The path of the URL and of all above it, the longest first. */
function placesOf({ host, pathname }: URL): string[] {
  const parts = pathname.split("/").filter((part) => part !== "");
  return Array.from({ length: parts.length + 1 }, (_, index) => {
    const kept = parts.slice(0, parts.length - index);
    return `//${[host, ...kept].join("/")}/`;
  });
}

/** npm keeps the password in base64. */
function basic(username: string, password: string): string {
  const plain = Buffer.from(password, "base64").toString("utf8");
  return `Basic ${Buffer.from(`${username}:${plain}`).toString("base64")}`;
}
