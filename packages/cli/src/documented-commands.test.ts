/** Feared: documentation with a command or a flag that there is not, or with a block that no shell or parser reads. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { withProgramArguments } from "./invocation.ts";
import { buildProgram } from "./program.ts";

const root = new URL("../../../", import.meta.url);
const pages = ["README.md", "CONTRIBUTING.md", ...readdirSync(new URL("docs", root)).filter(isPage)].map((name) =>
  name.endsWith(".mdx") ? `docs/${name}` : name,
);

interface Block {
  readonly place: string;
  readonly language: string;
  readonly code: string;
}

const blocks = pages.flatMap(blocksOf);
const shell = blocks.filter(({ language }) => language === "bash");
const commands = shell.flatMap(commandsOf);

test.each(shell)("$place is what a shell reads", ({ code }) => {
  const { status, stderr } = spawnSync("bash", ["-n"], { input: withoutPlaceholders(code), encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

test.each(blocks.filter(({ language }) => language === "json"))("$place is JSON", ({ code }) => {
  const lines = code.trim().split("\n");
  const isLineByLine = lines.every((line) => line.startsWith("{") && line.endsWith("}"));
  expect(() => (isLineByLine ? lines : [code]).map((text) => JSON.parse(text) as unknown)).not.toThrow();
});

test("there are commands to look at", () => {
  expect(commands.length).toBeGreaterThan(80);
});

test.each(commands)("$place: $line", async ({ args }) => {
  await expect(parse(args)).resolves.toBeUndefined();
});

test("a flag and a command that there is not are noticed", async () => {
  await expect(parse(["sessions", "list", "--colour"])).rejects.toThrow("unknown option '--colour'");
  await expect(parse(["sesions", "list"])).rejects.toThrow("unknown command");
});

/** All of commander's checks, and nothing is done. */
async function parse(args: readonly string[]): Promise<void> {
  const program = buildProgram(() => {});
  silence(program);
  await program.parseAsync([...withProgramArguments(args)], { from: "user" });
}

function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  const isGroup = command.commands.length > 0 && !("_actionHandler" in command && command._actionHandler);
  if (!isGroup) command.action(() => {});
  for (const child of command.commands) silence(child);
}

function isPage(name: string): boolean {
  return name.endsWith(".mdx");
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(new URL(page, root), "utf8");
  return Array.from(text.matchAll(/^```(\w+)\b.*\n([\s\S]*?)^```$/gm), ({ 1: language = "", 2: code = "", index }) => ({
    place: `${page}:${text.slice(0, index).split("\n").length}`,
    language,
    code,
  }));
}

function commandsOf({ place, code }: Block) {
  const lines = withoutPlaceholders(code).replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => {
    const found = /(?:^|[;|&(]\s*|=\S*\s+)(?:npx )?sandbox-agent (?!-)(.*)$/.exec(line.trim());
    return found ? [{ place, line: line.trim(), args: wordsOf(found[1]!) }] : [];
  });
}

/** `<id>` stands for what a reader puts in. */
function withoutPlaceholders(code: string): string {
  return code.replaceAll(/<([\w-]+)>/g, "$1");
}

/** Up to a comment, a pipe, a redirection or the next command. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"])+/g)) {
    if (/^(#|\||>|<|&|\)|\d>)/.test(word)) break;
    words.push(word.replace(/\)$/, "").replaceAll(/^['"]|['"]$/g, ""));
    if (word.endsWith(";")) break;
  }
  return words.map((word) => word.replace(/;$/, ""));
}
