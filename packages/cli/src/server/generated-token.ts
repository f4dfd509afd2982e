import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRegularTextSync } from "@sandbox-agent-ts/agents/process-identity";

const TOKEN_BYTES = 24;
const OWNER_ONLY = 0o600;
const usable = /^[\w-]{20,200}$/;

export const randomToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/**
 * The token of a data directory: generated at the first start and kept for the next ones, so that clients and open pages
 * live through a restart. Only its owner can read it. Removing the file makes the next start generate another.
 */
export function generatedToken(dataDir: string): string {
  const path = join(dataDir, "token");
  const kept = readToken(path);
  if (kept !== undefined) return kept;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  rmSync(beside, { force: true });
  writeFileSync(beside, `${randomToken()}\n`, { mode: OWNER_ONLY, flag: "wx" });
  try {
    rmSync(path, { force: true });
    linkSync(beside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(beside, { force: true });
  }
  return readToken(path) ?? randomToken();
}

function readToken(path: string): string | undefined {
  try {
    const token = readRegularTextSync(path).trim();
    if (!usable.test(token)) return undefined;
    chmodSync(path, OWNER_ONLY);
    return token;
  } catch {
    return undefined;
  }
}
