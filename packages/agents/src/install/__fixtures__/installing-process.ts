/**
 * Installs the tool in a process of its own, to be raced and killed. Argv: install root; the rest is in the environment.
 * With `END_AT` it ends itself by `END_BY` when it comes to that step.
 */
import { installProgram } from "../install-program.ts";
import { currentPlatform } from "../platform.ts";

const { END_AT, END_BY } = process.env;
const source = {
  kind: "npm",
  packages: { [currentPlatform()]: { name: "@agents/tool", binary: "bin/tool" } },
} as const;
const place = { env: process.env, installRoot: process.argv[2]! };
const { path } = await installProgram({ name: "tool", version: process.env.VERSION ?? "1.0.0", source }, place, {
  onProgress({ step }) {
    if (step === END_AT) process.kill(process.pid, END_BY);
  },
});
console.log(path);
