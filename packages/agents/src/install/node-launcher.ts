import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { ownNode } from "../process/own-node.ts";
import type { AgentProgram, ProgramPlace } from "./agent-program.ts";
import { findOnPath } from "./find-executable.ts";
import { installFailure } from "./install-failure.ts";
import { writeWhole } from "./write-whole.ts";

/** In the install root: the link by which the single executable serves as Node. */
const nodeFolder = ".node";

/**
 * Writes the file that is started in place of a JavaScript program. It becomes the Node process itself, finds the program
 * beside it, wherever the installation was moved to, and outlives the Node it was written with: then it takes the single
 * executable that used this installation last, else the Node on `PATH`. A Node that was installed with it comes first.
 */
export async function writeNodeLauncher(
  path: string,
  { nodeEntry: entry, node }: { readonly nodeEntry: string; readonly node?: string | undefined },
  place: ProgramPlace,
): Promise<void> {
  const installed = node === undefined ? "" : `"$here"/${quoted(node)} `;
  const lines = [
    "#!/bin/sh",
    // Installations are at <install root>/<name>/<version>/<folder>.
    `here="\${0%/*}"`,
    `for node in ${installed}${quoted(await findNode(place))} "$here"/../../../${nodeFolder}/node node`,
    'do [ -x "$node" ] && break',
    "done",
    `exec "$node" "$here"/${quoted(entry)} "$@"`,
  ];
  await writeWhole(path, `${lines.join("\n")}\n`);
  await chmod(path, 0o755);
}

/** Lets launchers find this process's Node, where that is by a link which an earlier executable may have left wrong. */
export async function refreshNodeLink({ source }: AgentProgram, { installRoot }: ProgramPlace): Promise<void> {
  if (source.kind !== "npm-node") return;
  // Where it cannot be written, the launcher may still find another Node.
  await ownNode(join(installRoot, nodeFolder)).catch(() => undefined);
}

async function findNode({ env: { PATH }, installRoot }: ProgramPlace): Promise<string> {
  const found = (await ownNode(join(installRoot, nodeFolder))) ?? (await findOnPath("node", PATH));
  if (found !== undefined) return found;
  throw installFailure("This program needs Node, which is not on PATH. Install Node 20.19 or newer.", {
    step: "verify",
  });
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
