import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { SandboxError } from "@sandbox-agent-ts/protocol";

/** The jail compares real paths, so its walls are made real once, before an agent can move them. Default: the home. */
export function realRoots(roots: readonly string[]): string[] {
  return (roots.length > 0 ? roots : [homedir()]).map((root) => {
    try {
      return realpathSync(root);
    } catch (cause) {
      throw new SandboxError("invalid_request", `${root} cannot be used as --fs-root: it is not there.`, { cause });
    }
  });
}
