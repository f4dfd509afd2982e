/** Feared: the example of the documentation, which does not compile or is no adapter. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import ts from "typescript";
import { expect, test } from "vitest";
import { describePersistenceAdapter } from "./contract/describe-persistence-adapter.ts";
import type { AgentProfile, PersistenceAdapter } from "./persistence-adapter.ts";

const page = readFileSync(new URL("../../../../docs/persistence.mdx", import.meta.url), "utf8");
const example = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  .map(([, code]) => code!)
  .find((code) => code.includes("jsonFiles"))!;
const here = fileURLToPath(new URL(".", import.meta.url));

test("the example compiles", () => {
  const file = join(here, "example-of-docs.ts");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    customConditions: ["@sandbox-agent-ts/source"],
    types: ["node"],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.readFile = (path) => (path === file ? example : readFile(path));
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file)!;
  const problems = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "))).toEqual([]);
}, 120_000);

/** Which has no profiles of its own. */
describePersistenceAdapter("the adapter of the documentation", async () => {
  const directory = mkdtempSync(join(tmpdir(), "persistence-docs-"));
  const jsonFiles = await exampleAdapter(directory);
  const profiles = new Map<string, AgentProfile>();
  const open = (): PersistenceAdapter => ({
    ...jsonFiles(join(directory, "sessions")),
    listAgentProfiles: async () =>
      [...profiles.values()].map(({ id, name, description }) => ({ id, name, ...(description && { description }) })),
    loadAgentProfile: async (id) => profiles.get(id) ?? null,
  });
  return {
    adapter: open(),
    addProfile: async (profile) => void profiles.set(profile.id, profile),
    reopen: async () => open(),
    destroy: async () => rmSync(directory, { recursive: true, force: true }),
  };
});

/** The function of the example, without the runtime that it is given to. */
async function exampleAdapter(directory: string): Promise<(place: string) => PersistenceAdapter> {
  const code = `${example.slice(0, example.indexOf("const runtime ="))}\nexport { jsonFiles };\n`;
  const imports = code.replace(/import \{[^}]*\} from "@sandbox-agent-ts\/runtime";/, "");
  const source = join(directory, "example.ts");
  const outfile = join(directory, "example.mjs");
  writeFileSync(source, imports);
  await build({ entryPoints: [source], outfile, format: "esm", platform: "node" });
  return ((await import(pathToFileURL(outfile).href)) as { jsonFiles: (place: string) => PersistenceAdapter })
    .jsonFiles;
}
