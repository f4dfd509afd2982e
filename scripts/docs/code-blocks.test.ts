/** Feared: an example of a page, of those that no other test runs, that does not compile. */
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { inRoot } from "../root.mjs";
import { readPage } from "./site.mjs";

/** Pages, and what their examples take for granted. */
const pages: Readonly<Record<string, string>> = {
  runtime: `
    declare const runtime: Awaited<ReturnType<typeof import("@sandbox-agent-ts/runtime").createAgentRuntime>>;
    declare const session: import("@sandbox-agent-ts/runtime").AgentSession;
    declare function push(...values: unknown[]): void;`,
  "runtime-api": `
    declare const runtime: import("@sandbox-agent-ts/sdk/runtime").RuntimeClient;
    declare const sessionId: string;
    declare const users: { byCookie(cookie: string | undefined): Promise<{ id: string } | undefined> };
    declare function createAgentRuntime(
      options: Partial<Parameters<typeof import("@sandbox-agent-ts/runtime").createAgentRuntime>[0]>,
    ): Promise<object>;`,
  "universal-schema": `declare const client: import("@sandbox-agent-ts/sdk").SandboxAgent;`,
};

interface Example {
  readonly place: string;
  readonly file: string;
  readonly code: string;
}

/** Where the packages are found: a folder of one that has them all. */
const folder = inRoot("packages/cli/src");

const examples: readonly Example[] = Object.entries(pages).flatMap(([slug, given]) => {
  const { text } = readPage(slug) as { text: string };
  return Array.from(text.matchAll(/^```ts\b.*\n([\s\S]*?)^```$/gm), ({ 1: code = "", index }) => ({
    place: `docs/${slug}.mdx:${text.slice(0, index).split("\n").length}`,
    file: join(folder, `example-${slug}-${index}.ts`),
    // In a block of its own an example may name what the page had before.
    code: `${given}\n${code.match(/^import .*$/gm)?.join("\n") ?? ""}\nasync () => {\n${code.replaceAll(/^import .*$/gm, "")}\n};\n`,
  }));
});

test("there are examples on each page", () => {
  for (const slug of Object.keys(pages)) expect(examples.some(({ place }) => place.includes(`/${slug}.`))).toBe(true);
});

test("the examples compile", { timeout: 180_000 }, () => {
  expect(problems()).toEqual([]);
});

function problems(): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    customConditions: ["@sandbox-agent-ts/source"],
    types: ["node"],
    typeRoots: [inRoot("node_modules/@types")],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  const codeOf = (path: string) => examples.find(({ file }) => file === path)?.code;
  host.fileExists = (path) => codeOf(path) !== undefined || fileExists(path);
  host.readFile = (path) => codeOf(path) ?? readFile(path);
  const program = ts.createProgram(
    examples.map(({ file }) => file),
    options,
    host,
  );
  return examples.flatMap(({ place, file }) => {
    const source = program.getSourceFile(file)!;
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${place}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
  });
}
