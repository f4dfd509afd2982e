import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSea } from "node:sea";
import { rootFolders } from "./box-disk.ts";

/** Where the program that serves a box is found inside; not in any place where a person looks for programs. */
const hidden = { folder: "/run/box", door: "/run/box/io/in", wayOut: "/run/box/io/out" } as const;

/** What programs look up about the machine. Names and accounts are the box's own. */
const etc = [
  ...["nsswitch.conf", "ssl", "ca-certificates", "pki", "alternatives", "localtime"],
  ...["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "protocols", "services", "mime.types"],
].map((name) => `/etc/${name}`);

/** What root is used to with files and processes; nothing with which it could undo the jail. */
const rootMay = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "NET_BIND_SERVICE"];

const systemPath = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const nodePlace = "/opt/node";
const ownNode = realpathSync(process.execPath);
/** The single executable is a Node only where it is called so; else nobody who ends what is called `node` is to hit it. */
const init = `${hidden.folder}/${isSea() ? "node" : "box"}`;

export interface JailPlan {
  readonly disk: string;
  /** Seen from here; inside it is that of `hidden`. */
  readonly io: string;
  readonly program: string;
  readonly uid: number;
  readonly mounts: Readonly<Record<string, string>>;
  /** Directories of this machine that are seen instead of others, see `withoutPrograms`. */
  readonly replaced: readonly { readonly place: string; readonly from: string; readonly original: string }[];
  readonly hasNode: boolean;
}

/** The arguments of bubblewrap, and the program that it is to start. */
export function jailArguments({ disk, io, program, uid, mounts, replaced, hasNode }: JailPlan) {
  const bind = (from: string, place: string) => ["--ro-bind", from, place];
  const jail = [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--unshare-net"],
    ...["--uid", String(uid), "--gid", String(uid), "--hostname", "box", "--new-session", "--die-with-parent"],
    ...["--cap-drop", "ALL", ...(uid === 0 ? rootMay : []).flatMap((name) => ["--cap-add", `CAP_${name}`])],
    ...["--bind", disk, "/", ...bind("/usr", "/usr"), ...rootFolders.flatMap((path) => bind(path, path))],
    ...etc.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/run"],
    ...replaced.flatMap(({ place, from, original }) => [...bind(place, original), ...bind(from, place)]),
    ...(hasNode && nodeMount !== undefined ? bind(...nodeMount) : []),
    ...Object.entries(mounts).flatMap(([place, from]) => bind(from, place)),
    ...bind(ownNode, init),
    ...bind(program, `${hidden.folder}/box.cjs`),
    ...["--bind", io, dirname(hidden.door), "--chdir", "/"],
  ];
  return { jail, command: [init, `${hidden.folder}/box.cjs`, hidden.door, hidden.wayOut] };
}

/** `PATH` inside. The Node that runs us comes first. */
export function pathInside(hasNode: boolean): string {
  const own = hasNode && nodeMount !== undefined ? [`${nodePlace}/bin`] : [];
  return [...own, ...systemPath].join(":");
}

/** What has to be brought along so that this Node is there: nothing, its folder, or the program alone. */
const nodeMount = ((): readonly [from: string, place: string] | undefined => {
  const isThere = systemPath.some((folder) => {
    const path = join(folder, "node");
    return existsSync(path) && realpathSync(path) === ownNode;
  });
  if (isThere) return undefined;
  const prefix = dirname(dirname(ownNode));
  const isWhole = ownNode === join(prefix, "bin", "node") && existsSync(join(prefix, "lib", "node_modules", "npm"));
  return isWhole ? [prefix, nodePlace] : [ownNode, `${nodePlace}/bin/node`];
})();
