import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allowedImports, browserSafe, findViolations, importsOf, packageName, violation } from "./boundaries.mjs";
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
  return overrides.filter(({ includes }) => includes.includes(`packages/${folder}/src/**`));
}

describe("import boundaries", () => {
  it("hold in every package", () => {
    expect(findViolations()).toEqual([]);
  });

  it("know every package there is", () => {
    expect(folders.toSorted()).toEqual(readdirSync(inRoot("packages")).toSorted());
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
    ["protocol", "event.ts", "@sandbox-agent/store"],
    ["protocol", "event.ts", "hono"],
    ["protocol", "event.ts", "node:fs"],
    ["sdk", "client.ts", "fs"],
    ["agents", "claude/index.ts", "@sandbox-agent/daemon"],
    ["daemon", "http/app.ts", "sandbox-agent"],
    ["store", "event-log.ts", "../../agents/src/agent.ts"],
  ] as const)("is seen in %s/%s importing %s", (folder, file, specifier) => {
    expect(violation(folder, file, specifier)).toEqual(expect.any(String));
  });

  it.each([
    ["protocol", "event.ts", "zod"],
    ["sdk", "spawn/find-binary.ts", "node:fs"],
    ["daemon", "http/app.ts", "@sandbox-agent/store"],
    ["daemon", "http/routes/fs.ts", "../../sessions/session.ts"],
    ["cli", "main.ts", "sandbox-agent"],
  ] as const)("is not seen in %s/%s importing %s", (folder, file, specifier) => {
    expect(violation(folder, file, specifier)).toBeUndefined();
  });

  it("is looked for in every kind of import", () => {
    const text = `import a from "a"; import type { B } from "b"; export * from "c"; const d = await import("d");
      type E = import("e").E; const f = require("f");`;
    expect(importsOf(text).toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
  });
});
