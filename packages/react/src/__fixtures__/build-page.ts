import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const html = `<!doctype html><title>Hooks</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="assets/page.js"></script>`;

/** A directory that a daemon can serve as its user interface: the page of the hooks. */
export async function buildPage(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-react-page-"));
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), html);
  await build({
    entryPoints: [fileURLToPath(new URL("./hooks-page.ts", import.meta.url))],
    outfile: join(directory, "assets/page.js"),
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions: ["@sandbox-agent-ts/source"],
    define: { "process.env.NODE_ENV": '"development"' },
    logLevel: "error",
  });
  return directory;
}
