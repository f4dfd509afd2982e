import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** `/bin` and its like: links on most machines, directories on some. */
const systemFolders = readdirSync("/").filter((name) => /^(?:s?bin|lib(?:x?32|64)?)$/.test(name));
const links = systemFolders.filter((name) => lstatSync(`/${name}`).isSymbolicLink());

/** Those that have to be brought along besides `/usr`. */
export const rootFolders = systemFolders.filter((name) => !links.includes(name)).map((name) => `/${name}`);

export interface DiskOwner {
  readonly user: string;
  readonly uid: number;
  readonly home: string;
  /** Besides the home. */
  readonly writable: readonly string[];
}

/**
 * The root directory of a box as it is at first. All of it belongs to the box's only user; that the system's directories cannot
 * be written to, except by root, is a matter of their modes.
 */
export function makeDisk(disk: string, { user, uid, home, writable }: DiskOwner): void {
  mkdirSync(disk, { recursive: true });
  const make = (path: string, mode: number) => {
    mkdirSync(join(disk, path), { recursive: true });
    chmodSync(join(disk, path), mode);
  };
  for (const name of links) symlinkSync(readlinkSync(`/${name}`), join(disk, name));
  for (const path of ["/tmp", "/var/tmp"]) make(path, 0o1777);
  for (const path of ["/root", home, ...writable]) make(path, 0o755);
  const files = {
    "/etc/passwd": `root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n${uid === 0 ? "" : `${user}:x:${uid}:${uid}::${home}:/bin/sh\n`}`,
    "/etc/group": `root:x:0:\nnogroup:x:65534:\n${uid === 0 ? "" : `${user}:x:${uid}:\n`}`,
    "/etc/hosts": "127.0.0.1 localhost box\n",
    "/etc/hostname": "box\n",
    "/etc/resolv.conf": "",
  };
  make("/etc", 0o755);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(disk, path), text);
  const isRoot = uid === 0;
  for (const path of ["/mnt", "/opt", "/srv"]) make(path, 0o755);
  if (isRoot) return;
  const open = new Set([home, ...writable]);
  const closed = new Set(["/", "/etc", "/mnt", "/opt", "/root", "/srv", "/var"]);
  for (const path of open) for (let at = dirname(path); at !== "/"; at = dirname(at)) closed.add(at);
  for (const path of closed) if (!open.has(path)) chmodSync(join(disk, path), 0o555);
}
