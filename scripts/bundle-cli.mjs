import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { build, transform } from "esbuild";
import { joinParts, loadedWith } from "./join-parts.mjs";
import { inRoot } from "./root.mjs";
import { thirdPartyNotices } from "./third-party-notices.mjs";

/** A daemon that was started before this build may still load parts of the old one. */
const KEEP_OLD_PARTS_MS = 24 * 60 * 60 * 1000;

const ENTRY = "sandbox-agent.cjs";

/** Names stay for stack traces, and lines stay short: Node prints the whole line that failed. */
const shared = { platform: "node", target: "node20", minifySyntax: true, minifyWhitespace: true, lineLimit: 120 };

/** What npm uses when nobody configured another, whoever builds: for machines without an npm to ask. */
async function defaultRegistry() {
  const home = mkdtempSync(join(tmpdir(), "sandbox-agent-npm-"));
  const env = { PATH: process.env.PATH, HOME: home, npm_config_globalconfig: join(home, "none") };
  try {
    const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry", "--global"], { env, cwd: home });
    return stdout.trim();
  } catch {
    return "";
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Who uses a hosting service has its SDK beside this program. */
function sdksOfServices() {
  const { peerDependencies } = JSON.parse(readFileSync(inRoot("packages/runtime/package.json"), "utf8"));
  return Object.keys(peerDependencies);
}

/** Errors in fifty languages, which are most of zod; nobody asks for another than its own, English. */
const oneLanguage = {
  name: "one language",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** The CLI in as few parts as it has lazy imports: a server must not parse what only other commands need. */
export async function bundleCli(outdir, options = {}) {
  const { version } = JSON.parse(readFileSync(inRoot("packages/cli/package.json"), "utf8"));
  return build({
    ...shared,
    absWorkingDir: inRoot(),
    entryPoints: { "sandbox-agent": inRoot("packages/cli/src/bin.ts") },
    outdir,
    outExtension: { ".js": ".cjs" },
    chunkNames: "parts/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    write: false,
    conditions: ["@sandbox-agent-ts/source"],
    mainFields: ["module", "main"],
    legalComments: "none",
    // libsql has a native part, and is asked for only where Node has no SQLite of its own.
    external: ["libsql", ...sdksOfServices()],
    plugins: [oneLanguage],
    define: {
      SANDBOX_AGENT_VERSION: JSON.stringify(version),
      SANDBOX_AGENT_DEFAULT_REGISTRY: JSON.stringify(await defaultRegistry()),
    },
    logLevel: "warning",
    ...options,
  });
}

/** Only modules can be split and only CommonJS starts fast (no module loader), so the parts are turned into it. */
export async function writeCli(outdir) {
  const { outputFiles, metafile } = await bundleCli(outdir, { metafile: true });
  const parts = new Map();
  for (const { path, text } of outputFiles) parts.set(basename(path), await toCommonJs(text));
  const atStart = loadedWith(metafile, [ENTRY, "run-server-"]).map((path) => basename(path));
  const files = joinParts(parts, ENTRY, atStart);
  replaceFile(join(outdir, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(bundledFiles(metafile)));
  for (const [name, text] of files) replaceFile(join(outdir, name === ENTRY ? name : `parts/${name}`), text);
  removeOldParts(join(outdir, "parts"), files);
}

/** The files of which anything is in the bundle. */
export function bundledFiles({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => inRoot(file));
}

async function toCommonJs(text) {
  const { code } = await transform(text, {
    ...shared,
    format: "cjs",
    // Node's own import() would put a part's exports under `default`.
    supported: { "dynamic-import": false },
    // Code that runs bundled and unbundled looks whether it is there.
    logOverride: { "empty-import-meta": "silent" },
  });
  return code;
}

/** Somebody may be running the old file: it is replaced whole, never half. */
function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

function removeOldParts(folder, current) {
  for (const name of readdirSync(folder).filter((part) => !current.has(part))) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > KEEP_OLD_PARTS_MS) rmSync(path, { force: true });
  }
}
