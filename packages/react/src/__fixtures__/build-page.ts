import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

const html = `<!doctype html><title>Hooks</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="assets/page.js"></script>`;

/** A directory that a daemon can serve as its user interface: the page of the hooks, or one with this source. */
export async function buildPage(source?: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-react-page-"));
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), html);
  await build({
    ...(source === undefined
      ? { entryPoints: [join(here, "hooks-page.ts")] }
      : { stdin: { contents: source, loader: "tsx" as const, resolveDir: here } }),
    jsx: "automatic",
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
