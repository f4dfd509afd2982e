import { type Pack, pack } from "tar-stream";
import { relayedPort, relayProgram } from "../relay-program.ts";
import { exports, quoted } from "../shell-text.ts";
import { daemonPort, inside, volumeRoot } from "./inside.ts";

export interface Start {
  /** What follows the Node program. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the daemon is reached by a port; else by a socket. */
  readonly hasPort: boolean;
  /** Where the programs of agents are; undefined where there are none yet. */
  readonly programs: string | undefined;
  readonly owner: Owner;
}

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The directories of a sandbox and the script that becomes its daemon, as a tar for the root of its volume. */
export function startArchive(start: Start): Pack {
  const { owner, programs } = start;
  const archive = pack();
  const relative = (path: string) => path.slice(volumeRoot.length + 1);
  for (const path of [inside.home, inside.workspace, inside.data, inside.run]) {
    archive.entry({ name: relative(path), type: "directory", mode: 0o700, ...owner });
  }
  if (programs !== undefined) {
    archive.entry({ name: `${relative(inside.data)}/programs`, type: "symlink", linkname: programs, ...owner });
  }
  archive.entry({ name: relative(relayFile), mode: 0o600, ...owner }, relayProgram);
  archive.entry({ name: `${relative(inside.run)}/start`, mode: 0o600, ...owner }, startScript(start));
  archive.finalize();
  return archive;
}

const relayFile = `${inside.run}/relay.cjs`;
const withoutNode = "The image has no Node. Use one that has, e.g. node:20-slim.";

/** Removes itself, because it has secrets, and becomes the daemon. */
function startScript({ command, env, hasPort }: Start): string {
  const listening = hasPort
    ? [...command, "--host", "0.0.0.0", "--port", String(daemonPort)]
    : [relayFile, `${inside.socket}/daemon.sock`, ...command, "--host", "127.0.0.1", "--port", String(relayedPort)];
  return [
    `rm -f ${inside.run}/start`,
    ...exports(env),
    `export HOME=${inside.home} PATH="$PATH:${inside.node}"`,
    `command -v node >/dev/null || { echo ${quoted(withoutNode)} >&2; exit 127; }`,
    `cd ${inside.workspace}`,
    `exec node ${listening.map(quoted).join(" ")} </dev/null >/dev/null`,
    "",
  ].join("\n");
}
