// `npm run bench [-- --only NAME --rounds N --peer COMMAND]`: every figure beside its floor, in one run.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { downloadNode } from "./download-node.mjs";
import { nodePackage, thisPlatform } from "./exe/platforms.mjs";
import { inRoot } from "./root.mjs";
import { runNode } from "./run.mjs";
import { buildExecutable, cliBundle, executable, prepareCli } from "./setup.mjs";

/** The fake agent program is looked for beside the folder its adapter is bundled into. */
const bundles = inRoot("packages/testing/dist");

await prepareCli();
const servers = readdirSync(inRoot("bench/servers")).map((name) => inRoot("bench/servers", name));
const shared = { outdir: bundles, entryNames: "bench-[name]", bundle: true, platform: "node", target: "node20" };
await build({
  ...shared,
  entryPoints: [inRoot("bench/run.ts"), ...servers],
  format: "esm",
  outExtension: { ".js": ".mjs" },
  conditions: ["@sandbox-agent-ts/source"],
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  logLevel: "error",
});
// CommonJS starts faster than modules do, and the floor is the fastest there is.
await build({
  ...shared,
  entryPoints: [inRoot("bench/servers/http-floor.ts")],
  format: "cjs",
  outExtension: { ".js": ".cjs" },
});
const env = {
  ...process.env,
  SANDBOX_AGENT_BENCH: bundles,
  SANDBOX_AGENT_BENCH_DIALECTS: inRoot("bench/agents/dialect-agent.mjs"),
  SANDBOX_AGENT_CLI: cliBundle,
  ...(isWanted("executable-start") ? await executableToMeasure() : {}),
};
process.exitCode = await runNode([`${bundles}/bench-run.mjs`, ...process.argv.slice(2)], { env });

/** Whether the arguments name a figure, or none at all. */
function isWanted(figure) {
  const { values } = parseArgs({ options: { only: { type: "string", multiple: true } }, strict: false });
  return values.only?.includes(figure) ?? true;
}

/** The single executable and the Node that is in it; nothing without a network or on a platform that has none. */
async function executableToMeasure() {
  try {
    const node = nodePackage(thisPlatform);
    const folder = await downloadNode(node);
    await buildExecutable();
    return { SANDBOX_AGENT_EXECUTABLE: executable, SANDBOX_AGENT_EXECUTABLE_NODE: join(folder, node.file) };
  } catch (error) {
    console.error(`The single executable is not measured: ${error.message}`);
    return {};
  }
}
