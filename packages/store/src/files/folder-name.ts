import { createHash } from "node:crypto";

const plain = /^[a-z0-9][a-z0-9_-]{0,99}$/;

/** A folder name for a session id: the id itself where that is safe on every file system, else a readable digest. */
export function folderName(sessionId: string): string {
  if (plain.test(sessionId)) return sessionId;
  const readable = sessionId
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .slice(0, 40);
  return `${readable}~${createHash("sha256").update(sessionId).digest("hex").slice(0, 32)}`;
}
