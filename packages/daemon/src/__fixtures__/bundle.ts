import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fakeAgentPath } from "@sandbox-agent-ts/testing";
import { build } from "esbuild";
import { afterAll } from "vitest";

const bundles = new Map<string, Promise<string>>();
let directory: Promise<string> | undefined;

afterAll(async () => {
  if (directory) await rm(await directory, { recursive: true, force: true });
});

/** A program of this folder as one file that Node runs, made once per test file. */
export function bundle(name: string): Promise<string> {
  const made = bundles.get(name) ?? make(name);
  bundles.set(name, made);
  return made;
}

async function make(name: string): Promise<string> {
  directory ??= mkdtemp(join(tmpdir(), "sandbox-agent-bundle-"));
  const outfile = join(await directory, `${name}.cjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    bundle: true,
    platform: "node",
    format: "cjs",
    conditions: ["@sandbox-agent-ts/source"],
    // The one thing that looks beside itself is the adapter of the fake agent, for its program.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(join(fakeAgentPath, "../../src/bundled.ts")).href) },
    logLevel: "warning",
    outfile,
  });
  return outfile;
}
