import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { writeCli } from "../bundle-cli.mjs";
import { inRoot } from "../root.mjs";

/**
 * What an executable holds besides Node: a small main, and as assets every part of the CLI and every file of the
 * inspector. Without a code cache, which is for one kind of processor, it is the same for all platforms; on the one where
 * that was measured it made the cold start 5 % shorter.
 */
export async function executableBlob(node, uiDirectory) {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-agent-exe-"));
  try {
    const [cli, main] = [join(folder, "cli"), join(folder, "main.cjs")];
    mkdirSync(cli);
    await Promise.all([writeCli(cli), bundleMain(main)]);
    const parts = filesBelow(cli);
    const ui = filesBelow(uiDirectory);
    writeFileSync(join(folder, "ui.json"), JSON.stringify(ui));
    writeFileSync(join(folder, "parts.json"), JSON.stringify(parts));
    const config = {
      main,
      output: join(folder, "blob"),
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      assets: {
        ...Object.fromEntries(parts.map((name) => [name, join(cli, name)])),
        ...Object.fromEntries(ui.map((name) => [`ui/${name}`, join(uiDirectory, name)])),
        "ui.json": join(folder, "ui.json"),
        "parts.json": join(folder, "parts.json"),
      },
    };
    writeFileSync(join(folder, "config.json"), JSON.stringify(config));
    await promisify(execFile)(node, ["--experimental-sea-config", join(folder, "config.json")]);
    return readFileSync(config.output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bundleMain(outfile) {
  return build({
    entryPoints: [inRoot("packages/cli/src/executable/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    logLevel: "warning",
  });
}

/** Relative and with slashes, in the same order everywhere. */
function filesBelow(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/")).sort();
}
