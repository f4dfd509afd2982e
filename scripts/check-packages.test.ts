import { describe, expect, it } from "vitest";
import { type PackageFiles, packageArchive } from "../packages/testing/src/npm-registry/package-archive.ts";
import { faultsOf } from "./check-packages.mjs";

const manifest = {
  name: "@scope/whole",
  version: "1.0.0",
  type: "module",
  repository: { type: "git", url: "git+https://example.com/whole.git" },
  license: "Apache-2.0",
  files: ["dist", "src"],
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
};

const whole: PackageFiles = {
  "package.json": JSON.stringify(manifest),
  LICENSE: "Apache-2.0",
  "README.md": "# whole",
  "src/index.ts": "export const one: number = 1;",
  "dist/index.js": "export const one = 1;",
  "dist/index.d.ts": "export declare const one: number;",
  "dist/index.js.map": JSON.stringify({ version: 3, sources: ["../src/index.ts"], mappings: "" }),
};

const faults = async (files: PackageFiles): Promise<string[]> => faultsOf(await packageArchive(files));

describe("the check of tarballs", () => {
  it("has nothing against one that is whole", async () => {
    expect(await faults(whole)).toEqual([]);
  });

  it("misses a license, and sees tests, fixtures, notes of the compiler and maps that lead nowhere", async () => {
    const { LICENSE: _, "src/index.ts": __, ...rest } = whole;
    const extra = { "dist/index.test.js": "", "src/__fixtures__/a.json": "{}", "dist/.tsbuildinfo": "{}" };
    expect((await faults({ ...rest, ...extra })).toSorted()).toEqual([
      "LICENSE is missing",
      "dist/.tsbuildinfo should not be in it",
      "dist/index.js.map leads to ../src/index.ts, which is not in it",
      "dist/index.test.js should not be in it",
      "src/__fixtures__/a.json should not be in it",
    ]);
  });

  it.each(["./src/gone.ts", "./dist/gone.js"])("sees an entry that names %s, which is not there", async (gone) => {
    const exports = { ".": { private: gone, ...manifest.exports["."] } };
    expect(await faults({ ...whole, "package.json": JSON.stringify({ ...manifest, exports }) })).toContain(
      `package.json names ${gone}, which is not in it`,
    );
  });

  it("sees an entry that is CommonJS and says that it is a module, by publint", async () => {
    const files = { ...whole, "dist/index.js": "module.exports = require('node:fs');" };
    expect(await faults(files)).toEqual(expect.arrayContaining([expect.stringMatching(/^publint: .*CJS/)]));
  });

  it("sees types that say CommonJS of what is a module, by are-the-types-wrong", async () => {
    const exports = { ".": { types: "./dist/index.d.cts", default: "./dist/index.js" } };
    const { "dist/index.d.ts": types, ...rest } = whole;
    const files = { ...rest, "dist/index.d.cts": types, "package.json": JSON.stringify({ ...manifest, exports }) };
    expect(await faults(files as PackageFiles)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^types: .*"kind":"FalseCJS"/)]),
    );
  });

  it("sees types that import what does not resolve", async () => {
    const files = { ...whole, "dist/index.d.ts": 'export * from "./gone.js";' };
    expect(await faults(files)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^types: .*InternalResolutionError/)]),
    );
  });
});
