import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { sessionMarkVariable } from "../../../process/session-processes.ts";

type Environment = Readonly<Record<string, string>>;

const realShellVariable = "SANDBOX_AGENT_REAL_SHELL";
/** A command that is longer leaves no room for its mark in the environment, where the system has a limit. */
const LONGEST_MARK = 100_000;
/** Those that OpenCode takes; for any other one it takes bash. */
const known = new Set(["bash", "dash", "ksh", "sh", "zsh"]);

/**
 * A shell that is not left by a signal: OpenCode would then wait for its time limit of minutes. What the command starts
 * carries the command as a mark, by which it is found after it has left its group; and the password of the server, with
 * which it could allow itself everything, it does not get.
 */
const script = `#!/bin/sh
shell=$${realShellVariable}
export SHELL="$shell"
unset ${realShellVariable} OPENCODE_SERVER_PASSWORD OPENCODE_SERVER_USERNAME
if [ "$1" = -c ] && [ "\${#2}" -lt ${LONGEST_MARK} ]; then export ${sessionMarkVariable}="$2"; fi
trap : HUP INT TERM
exec 3>&2 2>/dev/null
(exec "$shell" "$@" 2>&3 3>&-)
exit $?
`;

/** The variables by which OpenCode runs its commands in our shell, around the one that it would take. */
export function commandShell(dataDir: string, env: Environment): Environment {
  if (process.platform === "win32") return {};
  const real = realShell(env);
  const folder = join(dataDir, "shell");
  const path = join(folder, basename(real));
  mkdirSync(folder, { recursive: true });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, script);
  chmodSync(written, 0o755);
  renameSync(written, path);
  return { SHELL: path, [realShellVariable]: real };
}

function realShell({ SHELL = "", PATH = "" }: Environment): string {
  if (isAbsolute(SHELL) && known.has(basename(SHELL)) && existsSync(SHELL)) return SHELL;
  const folders = [...PATH.split(delimiter).filter(isAbsolute), "/bin", "/usr/bin"];
  return folders.map((folder) => join(folder, "bash")).find((path) => existsSync(path)) ?? "/bin/sh";
}
