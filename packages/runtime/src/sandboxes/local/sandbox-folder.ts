import { join } from "node:path";

/** The places of one sandbox, as this machine sees them. Only `home`, `workspace`, `data`, `run` and `tmp` are seen inside. */
export interface SandboxFolder {
  readonly path: string;
  readonly home: string;
  readonly workspace: string;
  readonly data: string;
  /** Where a daemon without a network makes its socket. */
  readonly run: string;
  readonly tmp: string;
  /** Ours alone: what is in it is believed. */
  readonly ctl: string;
  readonly record: string;
  readonly lock: string;
  readonly socket: string;
}

const idPattern = /^sb-[0-9a-z]{1,40}$/;

export function isSandboxId(id: string): boolean {
  return idPattern.test(id);
}

export function sandboxFolder(root: string, id: string): SandboxFolder {
  const path = join(root, id);
  const ctl = join(path, "ctl");
  const run = join(path, "run");
  return {
    path,
    home: join(path, "home"),
    workspace: join(path, "workspace"),
    data: join(path, "data"),
    run,
    tmp: join(path, "tmp"),
    ctl,
    record: join(ctl, "sandbox.json"),
    lock: join(ctl, "lock"),
    socket: join(run, "daemon.sock"),
  };
}
