import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** The names of the modules in a bundle for the browser. It fails by itself on anything of Node. */
async function modulesOf(source: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
  });
  const [output] = Object.values(metafile.outputs);
  return Object.keys(output!.inputs);
}

test("everything runs in a browser", async () => {
  const modules = await modulesOf('export * from "./index.ts"; export * from "./testing/index.ts"');
  expect(modules.length).toBeGreaterThan(20);
});

test("nothing but zod is needed", async () => {
  const modules = await modulesOf('export * from "./index.ts"; export * from "./testing/index.ts"');
  const foreign = modules.filter((path) => path.includes("node_modules/") && !path.includes("node_modules/zod/"));
  expect(foreign).toEqual([]);
});

test("the fold, the checker and the errors come without zod", async () => {
  const names =
    "foldEvents, emptyTranscript, applyToSession, applyToBlocks, ConversationBlocks, checkStream, SandboxError, streamedText";
  const modules = await modulesOf(`export { ${names} } from "./index.ts"`);
  expect(modules.some((path) => path.endsWith("fold/transcript.ts"))).toBe(true);
  expect(modules.filter((path) => path.includes("zod"))).toEqual([]);
});
