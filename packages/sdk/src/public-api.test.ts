/** Feared: a symbol that an editor shows without a word about it, or a type that the documentation does not name. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const entries = ["./index.ts", "./spawn/spawn.ts"].map(pathOf);
const runtimeEntry = pathOf("./runtime/runtime-client.ts");
const program = ts.createProgram([...entries, runtimeEntry], {
  module: ts.ModuleKind.NodeNext,
  customConditions: ["@sandbox-agent-ts/source"],
  allowImportingTsExtensions: true,
  noEmit: true,
  noLib: true,
  types: [],
});
const checker = program.getTypeChecker();
const exported = entries.flatMap(exportsOf);
const exportedForRuntime = exportsOf(runtimeEntry);

test("every exported symbol and every public member of a class has a doc comment", () => {
  const all = [...exported, ...exportedForRuntime];
  const members = all.filter(isClass).flatMap(publicMembersOf);
  expect(members.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "SandboxAgent.connect",
      "SandboxAgent.statFs",
      "SessionHandle.run",
      "RuntimeClient.follow",
    ]),
  );
  const bare = [...all, ...members].filter(({ symbol }) => symbol.getDocumentationComment(checker).length === 0);
  expect(bare.map(({ name }) => name)).toEqual([]);
});

test("the page names every exported type, and none that is not exported", () => {
  const page = readFileSync(new URL("../../../docs/sdk.mdx", import.meta.url), "utf8");
  const section = /^## Types\n([\s\S]*?)^## /m.exec(page)?.[1] ?? "";
  const named = [...section.matchAll(/`(\w+)(?:<.*?>)?`/g)].map(([, name]) => name);
  const types = exported.filter(({ symbol }) => symbol.flags & (ts.SymbolFlags.Type | ts.SymbolFlags.Class));
  expect(named.toSorted()).toEqual([...new Set(types.map(({ name }) => name))].toSorted());
});

test("the page of the runtime's API names every type that its client has", () => {
  const page = readFileSync(new URL("../../../docs/runtime-api.mdx", import.meta.url), "utf8");
  const section = /^## With the SDK\n([\s\S]*?)^## /m.exec(page)?.[1] ?? "";
  const types = exportedForRuntime.filter(({ symbol }) => symbol.flags & ts.SymbolFlags.TypeAlias);
  const missing = types.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(section));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

interface Named {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

function exportsOf(file: string): Named[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is no module.`);
  return checker.getExportsOfModule(module).map((symbol) => ({
    name: symbol.name,
    symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
}

function isClass({ symbol }: Named): boolean {
  return (symbol.flags & ts.SymbolFlags.Class) !== 0;
}

function publicMembersOf({ name, symbol }: Named): Named[] {
  const statics = [...(symbol.exports?.values() ?? [])].filter((member) => member.name !== "prototype");
  return [...checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)), ...statics]
    .filter((member) => !isPrivate(member))
    .map((member) => ({ name: `${name}.${member.name}`, symbol: member }));
}

function isPrivate({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((declaration) => {
    const name = ts.getNameOfDeclaration(declaration);
    const flags = ts.getCombinedModifierFlags(declaration);
    return (name && ts.isPrivateIdentifier(name)) || (flags & ts.ModifierFlags.NonPublicAccessibilityModifier) !== 0;
  });
}
