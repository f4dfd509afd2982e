import { availableParallelism } from "node:os";
import { inRoot } from "./root.mjs";
import { captureNode } from "./run.mjs";

/**
 * Every static check, as chains: those of one chain run one after the other, because a later one reads what an earlier one
 * made; chains run beside each other. The longest is first.
 */
export const checks = [
  [["promises", "node_modules/eslint/bin/eslint.js", "."]],
  [
    ["types", "node_modules/typescript/bin/tsc", "-b"],
    ["packages", "scripts/check-packages.mjs"],
  ],
  [["generated files", "scripts/gen.mjs", "--check"]],
  [["dead code", "node_modules/knip/bin/knip.js", "--no-progress"]],
  [["format and lint", "node_modules/@biomejs/biome/bin/biome", "ci", "."]],
  [["boundaries", "scripts/boundaries.mjs"]],
  [["lock file", "scripts/lock-file.mjs"]],
];

/** Run all checks, even when one fails, and print what each said once it ends. Answers the names of those that failed. */
export async function runChecks(chains = checks, { workers = availableParallelism(), print = console.log } = {}) {
  const waiting = [...chains];
  const failed = [];
  const work = async () => {
    for (let chain = waiting.shift(); chain !== undefined; chain = waiting.shift()) {
      for (const [name, script, ...args] of chain) {
        const startedAt = Date.now();
        const { code, output } = await captureNode([inRoot(script), ...args]);
        if (code !== 0) failed.push(name);
        const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
        print(`${code === 0 ? "✓" : "✕"} ${name} (${seconds} s)${code === 0 ? "" : `\n${output.trimEnd()}`}`);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return { passed: chains.flat().length - failed.length, failed };
}
