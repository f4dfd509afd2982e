import { chmod } from "node:fs/promises";
import { basename } from "node:path";
import type { ProgramPlace } from "./agent-program.ts";
import { findOnPath } from "./find-executable.ts";
import { installFailure } from "./install-failure.ts";
import { writeWhole } from "./write-whole.ts";

/**
 * Writes the file that is started in place of a JavaScript program. It becomes the Node process itself, finds the program
 * beside it, wherever the installation was moved to, and outlives the Node it was written with.
 */
export async function writeNodeLauncher(path: string, entry: string, env: ProgramPlace["env"]): Promise<void> {
  const node = await findNode(env);
  const lines = [
    "#!/bin/sh",
    `node=${quoted(node)}`,
    '[ -x "$node" ] || node=node',
    `exec "$node" "\${0%/*}"/${quoted(entry)} "$@"`,
  ];
  await writeWhole(path, `${lines.join("\n")}\n`);
  await chmod(path, 0o755);
}

/** The Node that runs this code; one that is part of a bundled executable can run nothing else. */
async function findNode({ PATH }: ProgramPlace["env"]): Promise<string> {
  if (/^node(js)?$/.test(basename(process.execPath))) return process.execPath;
  const found = await findOnPath("node", PATH);
  if (found !== undefined) return found;
  throw installFailure("This program needs Node, which is not on PATH. Install Node 20.19 or newer.", {
    step: "verify",
  });
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
