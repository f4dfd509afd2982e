/** How a container looks from inside. All that it may write to is one volume, whatever the image has where. */
export const volumeRoot = "/sandbox";

export const inside = {
  workspace: `${volumeRoot}/workspace`,
  home: `${volumeRoot}/home`,
  data: `${volumeRoot}/data`,
  /** For what starts the daemon. */
  run: `${volumeRoot}/run`,
  programs: "/opt/sandbox-agent-programs",
  bundle: "/opt/sandbox-agent",
  /** Where the socket of a daemon without a network is. */
  socket: "/run/sandbox-agent",
  node: "/opt/sandbox-agent-node",
} as const;

/** The port of the daemon inside. */
export const daemonPort = 2468;
