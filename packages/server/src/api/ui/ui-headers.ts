import { extname } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".ico": "image/x-icon",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

/**
 * Nothing but our own files may run or style, and nothing may be loaded from elsewhere, so that what an agent wrote can
 * neither run nor phone home as an image. `connect-src` is open because the page may be used for any daemon its user
 * names; only our own scripts can connect.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self' http: https:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const everywhere = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** A name with a hash of its contents never means other contents. */
const hashed = /^assets\/.*-[\w-]{8}\.\w+$/;

/** What is said of a file, whatever form it is sent in. */
export function uiHeaders(name: string): Record<string, string> {
  return {
    ...everywhere,
    "content-type": types[extname(name)] ?? "application/octet-stream",
    "cache-control": hashed.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
  };
}
