import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { expect, test } from "vitest";

async function bundle(
  options: Pick<BuildOptions, "platform">,
  entry = "./index.ts",
): Promise<{ text: string; inputs: string[] }> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    conditions: ["@sandbox-agent-ts/source"],
    ...options,
  });
  const parts = Object.values(result.metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const inputs = parts.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
  return { text: result.outputFiles[0]?.text ?? "", inputs };
}

test.each(["./index.ts", "./runtime/runtime-client.ts"])("%s for browsers has nothing of Node in it", async (entry) => {
  const { text, inputs } = await bundle({ platform: "browser" }, entry);
  expect(text).not.toMatch(/["'`]node:/);
  expect(text).not.toContain("child_process");
  expect(inputs.filter((file) => file.includes("node_modules/zod"))).toEqual([]);
  expect(inputs.filter((file) => /spawn\/(?!unavailable|spawn-options)/.test(file))).toEqual([]);
});

test("the same entry for Node does have it, so that the test above can fail", async () => {
  const { text } = await bundle({ platform: "node" });
  expect(text).toMatch(/["'`]node:child_process/);
});

test("in a browser, starting a daemon is refused with what to do instead", async () => {
  const { text } = await bundle({ platform: "browser" });
  const file = join(mkdtempSync(join(tmpdir(), "sandbox-agent-sdk-")), "bundle.mjs");
  writeFileSync(file, text);
  const { SandboxAgent } = (await import(pathToFileURL(file).href)) as typeof import("./index.ts");
  await expect(SandboxAgent.start()).rejects.toThrow("use SandboxAgent.connect({ baseUrl })");
});
