// `npm run build:exe [-- PLATFORM … | --all] [--packages] [--out DIRECTORY]`: the CLI as one file that needs no Node, for
// this platform, for some (linux-arm64 …) or for all, with their SHA256SUMS and the script that installs them in dist/exe
// or elsewhere, which is made anew; with --packages also as packages for npm.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { downloadNode } from "./download-node.mjs";
import { executableBlob } from "./exe/executable-blob.mjs";
import { writePlatformPackage } from "./exe/platform-package.mjs";
import { executableName, nodePackage, platforms, thisPlatform } from "./exe/platforms.mjs";
import { signAdHoc } from "./exe/sign-macho.mjs";
import { inRoot } from "./root.mjs";
import { prepareCli, uiDirectory } from "./setup.mjs";

const postject = fileURLToPath(import.meta.resolve("postject/dist/cli.js"));

/** By which Node finds out that it carries a program. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** What was built before is removed, so that SHA256SUMS names everything there is. */
async function buildExecutables(wanted, { out, packages }) {
  const nodes = await downloadNodes(new Set([thisPlatform, ...wanted]));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  copyFileSync(licenseOf(nodes), join(out, "LICENSE-node.txt"));
  writeFileSync(join(out, "THIRD-PARTY-NOTICES.txt"), noticesOfExecutable());
  copyFileSync(inRoot("install.sh"), join(out, "install.sh"));
  const blob = join(out, ".blob");
  writeFileSync(blob, await executableBlob(nodes.get(thisPlatform).binary, uiDirectory));
  for (const platform of wanted) {
    const file = join(out, executableName(platform));
    await writeExecutable(file, platform, nodes.get(platform).binary, blob);
    console.error(`Built ${file}`);
    if (packages) console.error(`Built ${writePlatformPackage(platform, out)}`);
  }
  rmSync(blob);
  writeFileSync(
    join(out, "SHA256SUMS"),
    wanted.map((platform) => checksumLine(out, executableName(platform))).join(""),
  );
}

/** Of the program and of the inspector in it; those of Node are in its own licence. */
function noticesOfExecutable() {
  const files = [inRoot("packages/cli/dist/THIRD-PARTY-NOTICES.txt"), join(uiDirectory, "third-party-notices.md")];
  return files.map((file) => readFileSync(file, "utf8")).join("\n");
}

async function downloadNodes(wanted) {
  const nodes = new Map();
  for (const platform of wanted) {
    const node = nodePackage(platform);
    const folder = await downloadNode(node);
    nodes.set(platform, { binary: join(folder, node.file), license: join(folder, "LICENSE") });
  }
  return nodes;
}

/** The package for Windows has none; it is the same for all. */
function licenseOf(nodes) {
  const found = [...nodes.values()].map(({ license }) => license).find((path) => existsSync(path));
  if (found === undefined) throw new Error("No package of Node has its licence. Build for another platform as well.");
  return found;
}

async function writeExecutable(file, platform, node, blob) {
  copyFileSync(node, file);
  chmodSync(file, 0o755);
  const args = [file, "NODE_SEA_BLOB", blob, "--sentinel-fuse", FUSE, "--macho-segment-name", "NODE_SEA"];
  // Its remarks about sections that it does not know are only shown when it fails.
  await promisify(execFile)(process.execPath, [postject, ...args]);
  if (platform.startsWith("darwin-")) writeFileSync(file, signAdHoc(readFileSync(file), "sandbox-agent"));
}

function checksumLine(folder, name) {
  const hash = createHash("sha256").update(readFileSync(join(folder, name)));
  return `${hash.digest("hex")}  ${name}\n`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean" },
    packages: { type: "boolean" },
    out: { type: "string", default: inRoot("dist/exe") },
  },
});
const named = positionals.length > 0 ? positionals : [thisPlatform];
const wanted = values.all ? Object.keys(platforms) : named;
try {
  for (const platform of [thisPlatform, ...wanted]) nodePackage(platform);
  await prepareCli();
  await buildExecutables(wanted, values);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
