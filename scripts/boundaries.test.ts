import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  allowedImports,
  browserSafe,
  findViolations,
  importsOf,
  packageName,
  sourceOf,
  violation,
} from "./boundaries.mjs";
import { inRoot } from "./root.mjs";

interface BiomeOverride {
  includes: string[];
  linter: {
    rules: {
      style?: { noRestrictedImports?: { options: { patterns: { group: string[] }[] } } };
      correctness?: { noNodejsModules?: string };
    };
  };
}

const folders = Object.keys(allowedImports) as (keyof typeof allowedImports)[];

function biomeOverridesOf(folder: string): BiomeOverride[] {
  const { overrides } = JSON.parse(readFileSync(inRoot("biome.json"), "utf8")) as { overrides: BiomeOverride[] };
  return overrides.filter(({ includes }) => includes.includes(`${sourceOf(folder)}/**`));
}

describe("import boundaries", () => {
  it("hold in every package", () => {
    expect(findViolations()).toEqual([]);
  });

  it("know every package and app there is", () => {
    const known = folders.map((folder) => sourceOf(folder).replace(/\/src$/, ""));
    const there = ["packages", "apps"].flatMap((parent) =>
      readdirSync(inRoot(parent)).map((name) => `${parent}/${name}`),
    );
    expect(known.toSorted()).toEqual(there.toSorted());
  });

  it.each(folders)("call %s by its name", (folder) => {
    const { name } = JSON.parse(readFileSync(inRoot(sourceOf(folder), "../package.json"), "utf8")) as { name: string };
    expect(packageName(folder)).toBe(name);
  });

  it.each(folders)("of %s are told to Biome with the same words", (folder) => {
    const overrides = biomeOverridesOf(folder);
    const restricted = overrides.flatMap(({ linter }) =>
      (linter.rules.style?.noRestrictedImports?.options.patterns ?? []).flatMap(({ group }) => group),
    );
    const forbidden = folders.filter((other) => other !== folder && !allowedImports[folder].includes(other as never));
    const expected = forbidden.map(packageName).flatMap((name) => [name, `${name}/**`]);
    expect(restricted.toSorted()).toEqual(expected.toSorted());
  });

  it.each(Object.keys(browserSafe))("keep Node out of %s in Biome too", (folder) => {
    const levels = biomeOverridesOf(folder).map(({ linter }) => linter.rules.correctness?.noNodejsModules);
    expect(levels).toContain("error");
  });
});

describe("a boundary violation", () => {
  it.each([
    ["protocol", "event.ts", "@sandbox-agent-ts/store"],
    ["protocol", "event.ts", "hono"],
    ["protocol", "event.ts", "node:fs"],
    ["sdk", "client.ts", "fs"],
    ["agents", "claude/index.ts", "@sandbox-agent-ts/daemon"],
    ["daemon", "http/app.ts", "@sandbox-agent-ts/sdk"],
    ["store", "event-log.ts", "../../agents/src/agent.ts"],
    ["react", "hooks/use-agents.ts", "@sandbox-agent-ts/sdk/spawn"],
    ["inspector", "app.tsx", "@sandbox-agent-ts/daemon"],
    ["inspector", "app.tsx", "@sandbox-agent-ts/agents/install"],
    ["inspector", "app.tsx", "@sandbox-agent-ts/sdk/spawn"],
    ["inspector", "app.tsx", "node:path"],
    ["inspector", "app.tsx", "playwright-core"],
    ["inspector", "app.tsx", "../../../packages/react/src/index.ts"],
    ["cli", "server/ui-directory.ts", "@sandbox-agent-ts/inspector"],
    ["react", "index.ts", "@sandbox-agent-ts/inspector"],
  ] as const)("is seen in %s/%s importing %s", (folder, file, specifier) => {
    expect(violation(folder, file, specifier)).toEqual(expect.any(String));
  });

  it.each([
    ["protocol", "event.ts", "zod"],
    ["sdk", "spawn/find-binary.ts", "node:fs"],
    ["daemon", "http/app.ts", "@sandbox-agent-ts/store"],
    ["daemon", "http/routes/fs.ts", "../../sessions/session.ts"],
    ["cli", "main.ts", "@sandbox-agent-ts/sdk"],
    ["cli", "main.ts", "@sandbox-agent-ts/sdk/spawn"],
    ["sdk", "client.ts", "@sandbox-agent-ts/sdk/spawn"],
    ["inspector", "app.tsx", "@sandbox-agent-ts/react"],
    ["inspector", "app.tsx", "@sandbox-agent-ts/protocol"],
    ["inspector", "app.tsx", "@sandbox-agent-ts/sdk"],
    ["inspector", "markdown/highlighter.ts", "highlight.js/lib/languages/go"],
    ["inspector", "sessions/session-page.tsx", "../controls/button.tsx"],
  ] as const)("is not seen in %s/%s importing %s", (folder, file, specifier) => {
    expect(violation(folder, file, specifier)).toBeUndefined();
  });

  it("is looked for in every kind of import", () => {
    const text = `import a from "a"; import type { B } from "b"; export * from "c"; const d = await import("d");
      type E = import("e").E; const f = require("f");`;
    expect(importsOf(text).toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
  });
});
