import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { connect, createServer } from "node:net";
import { basename, dirname, join } from "node:path";

/**
 * A socket in a directory on which this process listens while it lives. The kernel refuses connections the moment it is
 * dead, whichever pid namespace asks.
 */
export interface LifeSocket {
  readonly name: string;
  close(): void;
}

/** Undefined where it cannot be made: without `/proc`, or on a file system that has no sockets. */
export async function openLifeSocket(lockPath: string): Promise<LifeSocket | undefined> {
  const name = `${basename(lockPath)}.${randomBytes(6).toString("hex")}.sock`;
  let directory: number | undefined;
  try {
    directory = openSync(dirname(lockPath), "r");
    const server = createServer((socket) => socket.destroy()).unref();
    const listening = once(server, "listening");
    server.listen(pathWithin(directory, name));
    await listening;
    const held = directory;
    return { name, close: () => void server.close(() => closeSync(held)) };
  } catch {
    if (directory !== undefined) closeSync(directory);
    return undefined;
  }
}

/** Does anybody listen there? When that cannot be found out: yes. */
export async function isListening(lockPath: string, name: string): Promise<boolean> {
  if (!isSocketOf(lockPath, name)) return true;
  let directory: number | undefined;
  try {
    directory = openSync(dirname(lockPath), "r");
    const socket = connect(pathWithin(directory, name));
    try {
      await once(socket, "connect");
      return true;
    } finally {
      socket.destroy();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ECONNREFUSED" && code !== "ENOENT";
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}

export function isSocketOf(lockPath: string, name: string): boolean {
  return name.startsWith(`${basename(lockPath)}.`) && name.endsWith(".sock") && !name.includes("/");
}

/** The path of a socket has room for about a hundred bytes; through the open directory any directory will do. */
const pathWithin = (directory: number, name: string): string => join(`/proc/self/fd/${directory}`, name);
