import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { executableName, thisPlatform } from "./exe/platforms.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { inRoot } from "./root.mjs";
import { runNode, runNpm } from "./run.mjs";

export const cliBundle = inRoot("packages/cli/dist/sandbox-agent.cjs");
export const uiDirectory = inRoot("packages/cli/dist/ui");
/** For tests and benches: not among those that are built for others. */
const executableDirectory = inRoot("packages/cli/dist/exe");
export const executable = join(executableDirectory, executableName(thisPlatform));

const oldestNode = [20, 19];
const lockFile = inRoot("package-lock.json");
const installedLock = inRoot("node_modules/.package-lock.json");
const installStamp = inRoot("node_modules/.sandbox-agent-setup");
const bundleStamp = inRoot("packages/cli/dist/.sandbox-agent-sources");
const uiStamp = inRoot("packages/cli/dist/.inspector-sources");
const executableStamp = inRoot("packages/cli/dist/.executable-sources");

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  stop(`Sandbox Agent needs Node ${oldestNode.join(".")} or newer; this is ${process.version}. Install a newer Node.`);
}

/** Install when there are no packages yet or the lock file changed since; an `npm install` by hand counts as well. */
async function installPackages() {
  const wanted = fingerprint([lockFile]);
  if (readStamp(installStamp) === wanted && existsSync(installedLock)) return;
  if (!existsSync(installedLock) || statSync(installedLock).mtimeMs < statSync(lockFile).mtimeMs) {
    console.error("Installing packages …");
    if ((await runNpm(["ci", "--loglevel=error"])) !== 0) stop("npm ci failed; see above.");
  }
  writeStamp(installStamp, wanted);
}

/** Everything the CLI bundle is made from. */
function bundleSources() {
  const packages = readdirSync(inRoot("packages")).map((name) => inRoot("packages", name));
  const sources = packages.flatMap((folder) => [`${folder}/package.json`, `${folder}/src`]).filter(existsSync);
  const scripts = ["bundle-cli.mjs", "third-party-notices.mjs"].map((name) => inRoot("scripts", name));
  return [...scripts, lockFile, ...sources];
}

/** Make the CLI bundle as new as its sources. */
export async function buildCli() {
  const wanted = fingerprint(bundleSources());
  if (readStamp(bundleStamp) === wanted && existsSync(cliBundle)) return;
  console.error("Building the CLI …");
  if ((await runNode([inRoot("scripts/build.mjs"), "--cli"])) !== 0) stop("The build failed; see above.");
  writeStamp(bundleStamp, wanted);
}

/** Everything the web inspector is made from. */
function uiSources() {
  const app = ["index.html", "package.json", "vite.config.ts", "public", "src"].map((name) =>
    inRoot("apps/inspector", name),
  );
  const libraries = ["protocol", "sdk", "react"].map((name) => inRoot("packages", name, "src"));
  return [inRoot("scripts/build-ui.mjs"), lockFile, ...app, ...libraries].filter(existsSync);
}

/** Make the web inspector as new as its sources. A daemon runs without it, so that a failure is only told. */
export async function buildUi() {
  const wanted = fingerprint(uiSources());
  const isMissing = !existsSync(inRoot("apps/inspector/index.html"));
  if (isMissing || (readStamp(uiStamp) === wanted && existsSync(uiDirectory))) return;
  console.error("Building the inspector …");
  const failed = (await runNode([inRoot("scripts/build.mjs"), "--ui"])) !== 0;
  if (failed) console.error("The inspector could not be built; see above. Everything else works without it.");
  else writeStamp(uiStamp, wanted);
}

/** Make the single executable for this platform as new as its sources. */
export async function buildExecutable() {
  const names = ["scripts/build-exe.mjs", "scripts/download-node.mjs", "scripts/exe", "install.sh"];
  const wanted = fingerprint([...bundleSources(), ...uiSources(), ...names.map((name) => inRoot(name))]);
  if (readStamp(executableStamp) === wanted && existsSync(executable)) return;
  console.error("Building the executable …");
  if ((await runNode([inRoot("scripts/build-exe.mjs"), "--out", executableDirectory])) !== 0)
    stop("The executable could not be built; see above.");
  writeStamp(executableStamp, wanted);
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function writeStamp(path, value) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, value);
}

export function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Make the workspace ready to be checked: the right Node and installed packages. */
export async function prepare() {
  checkNode();
  await installPackages();
}

/** Make the workspace ready to run: prepared, and the CLI bundle and the web inspector as new as their sources. */
export async function prepareCli() {
  await prepare();
  await Promise.all([buildCli(), buildUi()]);
}

/** Make the workspace ready to be tested: ready to run, and the programs that tests need where they can be had. */
export async function prepareTests() {
  await prepareCli();
  const { ensureChromium } = await import("./chromium.mjs");
  await ensureChromium();
  const { ensureBubblewrap } = await import("./bubblewrap.mjs");
  await ensureBubblewrap();
  const { ensureDocker } = await import("./docker-engine.mjs");
  await ensureDocker();
}
