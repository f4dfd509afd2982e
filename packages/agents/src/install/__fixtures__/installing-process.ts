/** Installs the tool in a process of its own, to be raced and killed. Argv: install root; the rest is in the environment. */
import { installProgram } from "../install-program.ts";
import { currentPlatform } from "../platform.ts";

const source = {
  kind: "npm",
  packages: { [currentPlatform()]: { name: "@agents/tool", binary: "bin/tool" } },
} as const;
const place = { env: process.env, installRoot: process.argv[2]! };
const { path } = await installProgram({ name: "tool", version: "1.0.0", source }, place);
console.log(path);
