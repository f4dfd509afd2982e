import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SandboxFolder } from "./sandbox-folder.ts";
import type { SandboxRecord } from "./sandbox-record.ts";

/** How the sandbox looks from inside. */
export const inside = {
  home: "/home/agent",
  workspace: "/workspace",
  data: "/data",
  bundle: "/opt/sandbox-agent",
  run: "/run/sandbox",
  node: "/opt/node",
} as const;

const uid = "1000";
const passwd = `root:x:0:0:root:/root:/bin/sh\nagent:x:${uid}:${uid}:agent:${inside.home}:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n`;
const group = `root:x:0:\nagent:x:${uid}:\nnogroup:x:65534:\n`;

/** What programs look up about the machine: names, time zone, certificates, libraries. */
const etc = [
  ...["resolv.conf", "hosts", "nsswitch.conf", "ssl", "ca-certificates", "pki", "alternatives", "localtime"],
  ...["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "protocols", "services", "mime.types"],
].map((name) => `/etc/${name}`);

export interface Bubblewrap {
  readonly path: string;
  readonly version: string;
  /** Whether it can keep what is inside from making user namespaces of its own; older ones cannot. */
  readonly disablesNamespaces: boolean;
}

/** The program, if it is there and this machine lets it work; else why not. */
export function findBubblewrap(path = "bwrap"): Bubblewrap | { readonly problem: string } {
  const { stdout, error } = spawnSync(path, ["--version"], { encoding: "utf8" });
  if (error !== undefined) {
    return { problem: "bubblewrap is not installed. Install the package `bubblewrap` (apt, dnf, apk, pacman)." };
  }
  const version = stdout.trim().split(" ").at(-1) ?? "";
  const outcomes = [true, false].map((disablesNamespaces) => {
    const flags = [...namespaceFlags({ disablesNamespaces }), "--unshare-net", ...systemFlags()];
    const trial = spawnSync(path, [...flags, "--", "/bin/true"], { encoding: "utf8" });
    return { disablesNamespaces, isOk: trial.status === 0, said: trial.stderr?.trim() };
  });
  const working = outcomes.find(({ isOk }) => isOk);
  if (working !== undefined) return { path, version, disablesNamespaces: working.disablesNamespaces };
  const said = outcomes.at(-1)?.said ?? "";
  return {
    problem: `bubblewrap ${version} does not work here: ${said}. Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0) or run the runtime as root.`,
  };
}

/** The arguments that put a program into the sandbox; the program's own follow. */
export function bubblewrapArguments(
  bubblewrap: Bubblewrap,
  folder: SandboxFolder,
  { spec }: SandboxRecord,
  mounts: readonly string[],
): string[] {
  const { mount } = nodeInside();
  return [
    ...namespaceFlags(bubblewrap),
    ...(spec.network === "off" ? ["--unshare-net"] : []),
    ...systemFlags(),
    ...["--ro-bind", accountFile(folder, "passwd", passwd), "/etc/passwd"],
    ...["--ro-bind", accountFile(folder, "group", group), "/etc/group"],
    ...["--bind", folder.home, inside.home, "--bind", folder.workspace, inside.workspace],
    ...["--bind", folder.data, inside.data, "--bind", folder.run, inside.run],
    ...["--ro-bind", spec.bundle, inside.bundle],
    ...(spec.programs === undefined ? [] : ["--ro-bind", spec.programs, join(inside.data, "programs")]),
    ...mount,
    ...mounts,
    ...["--chdir", inside.workspace, "--remount-ro", "/", "--"],
  ];
}

/** It ends with the shell that supervises it, not with this process. */
function namespaceFlags({ disablesNamespaces }: Pick<Bubblewrap, "disablesNamespaces">): string[] {
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...["--uid", uid, "--gid", uid, "--hostname", "sandbox", "--new-session", "--die-with-parent"],
    ...(disablesNamespaces ? ["--disable-userns"] : []),
  ];
}

function systemFlags(): string[] {
  const roots = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
  });
  const known = etc.flatMap((path) => ["--ro-bind-try", path, path]);
  return [...["--ro-bind", "/usr", "/usr"], ...roots, ...known, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"];
}

/**
 * Node as it is found inside. One of the system is there already; another brings its whole folder, for npm, if it looks
 * like one of Node's own, and otherwise nothing but itself.
 */
export function nodeInside(execPath = process.execPath): { readonly node: string; readonly mount: string[] } {
  const real = realpathSync(execPath);
  if (real.startsWith("/usr/") && basename(real) === "node") return { node: real, mount: [] };
  const prefix = dirname(dirname(real));
  const node = join(inside.node, "bin", "node");
  const isDistribution = real === join(prefix, "bin", "node") && existsSync(join(prefix, "lib", "node_modules", "npm"));
  return { node, mount: isDistribution ? ["--ro-bind", prefix, inside.node] : ["--ro-bind", real, node] };
}

function accountFile({ ctl }: SandboxFolder, name: string, text: string): string {
  const path = join(ctl, name);
  if (!existsSync(path)) writeFileSync(path, text, { mode: 0o644 });
  return path;
}
