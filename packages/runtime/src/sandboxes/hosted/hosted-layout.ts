import type { Sandbox } from "../sandbox-provider.ts";

/** The port on which the daemon of a hosted sandbox listens, in all of them. */
export const daemonPort = 2468;

/** Where an image or a template has the daemon and the agents' programs, as our Dockerfile puts them. */
export const imageBundle = "/opt/sandbox-agent";
export const imagePrograms = "/opt/sandbox-agent-programs";

/** Places inside of a hosted sandbox. All that is brought in is below one directory, which its user may write to. */
export interface HostedLayout {
  readonly root: string;
  readonly paths: Sandbox["paths"];
  /** For what starts the daemon and says how it is: 0700. */
  readonly run: string;
  /** Where Node is, if the machine has none and ours was brought in. */
  readonly node: string;
}

/** `root`: an absolute path, e.g. `/home/user/sandbox-agent`; made when the daemon's files are brought in. */
export function hostedLayout(root: string): HostedLayout {
  const below = (name: string) => `${root}/${name}`;
  return {
    root,
    paths: {
      workspace: below("workspace"),
      home: below("home"),
      data: below("data"),
      bundle: below("bundle"),
      programs: below("programs"),
    },
    run: below("run"),
    node: below("node"),
  };
}
