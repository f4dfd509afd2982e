import { readFileSync } from "node:fs";

const root = new URL("../../../../", import.meta.url);

/** A TypeScript block of a page, as a reader would copy it. */
export interface DocExample {
  /** Page and line, e.g. `docs/sdk.mdx:17`. */
  readonly place: string;
  readonly code: string;
}

/** Every TypeScript block of a page. */
export function examplesOf(page: string): DocExample[] {
  const text = readFileSync(new URL(page, root), "utf8");
  return [...text.matchAll(/^```ts\b.*\n([\s\S]*?)^```$/gm)].map(({ 1: code = "", index }) => ({
    place: `${page}:${text.slice(0, index).split("\n").length}`,
    code,
  }));
}

/** What a block may use of the blocks or sentences before it. Everything else it has to import or declare by itself. */
const context = [
  { name: "SandboxAgent", line: 'import { SandboxAgent } from "@sandbox-agent-ts/sdk";' },
  {
    name: "client",
    line: 'const client = await SandboxAgent.connect({ baseUrl: "http://127.0.0.1:2468", token: process.env.SANDBOX_AGENT_TOKEN });',
  },
  {
    name: "signal",
    line: 'const stopping = new AbortController();\nconst { signal } = stopping;\nprocess.once("SIGTERM", () => stopping.abort());',
  },
  { name: "render", line: "const render = (...parts: unknown[]) => console.log(parts.length);" },
];

/** Whether the block reads until a signal of the reader's own fires. */
export function needsSignal({ code }: DocExample): boolean {
  return uses(code, "signal");
}

/** The block as a whole program. */
export function programOf({ code }: DocExample): string {
  let program = code;
  for (const { name, line } of context.toReversed()) if (uses(program, name)) program = `${line}\n${program}`;
  return program;
}

function uses(code: string, name: string): boolean {
  const isDeclared = new RegExp(`(?:const|let) ${name}\\b|import \\{[^}]*\\b${name}\\b`).test(code);
  return !isDeclared && new RegExp(`(?<![.\\w"/-])${name}\\b(?!["\\w-]|:)`).test(code);
}
