import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { inRoot } from "./root.mjs";
import { runNode } from "./run.mjs";

const compressible = new Set([".html", ".js", ".css", ".svg", ".json"]);
/** Below this a compressed file saves nothing worth a second file. */
const MIN_COMPRESSED_BYTES = 1024;

/** Build the web inspector, with its files compressed beforehand, and put it in place whole. Answers the exit code. */
export async function writeUi(outdir) {
  const beside = `${outdir}.${process.pid}`;
  try {
    mkdirSync(dirname(outdir), { recursive: true });
    const options = ["--outDir", beside, "--emptyOutDir", "--logLevel", "warn"];
    const code = await runNode([
      inRoot("node_modules/vite/bin/vite.js"),
      "build",
      inRoot("apps/inspector"),
      ...options,
    ]);
    if (code !== 0) return code;
    for (const file of filesBelow(beside)) compress(file);
    rmSync(outdir, { recursive: true, force: true });
    renameSync(beside, outdir);
    return 0;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

function filesBelow(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function compress(file) {
  const bytes = readFileSync(file);
  if (!compressible.has(extname(file)) || bytes.length < MIN_COMPRESSED_BYTES) return;
  const sizeHint = { [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: sizeHint }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: zlib.Z_BEST_COMPRESSION }));
}
