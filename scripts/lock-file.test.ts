import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lockFaults } from "./lock-file.mjs";
import { inRoot } from "./root.mjs";

const whole = {
  "": { devDependencies: { linter: "1.0.0" } },
  "packages/sdk": { version: "0.2.0" },
  "node_modules/@scope/sdk": { resolved: "packages/sdk", link: true },
  "node_modules/linter": {
    version: "1.0.0",
    optionalDependencies: { "@linter/linux": "1.0.0", "@linter/mac": "1.0.0" },
  },
  "node_modules/@linter/linux": { version: "1.0.0", optional: true },
  "node_modules/linter/node_modules/@linter/mac": { version: "1.0.0", optional: true },
};

describe("the lock file", () => {
  it("of this repository works with npm ci on every platform", () => {
    expect(lockFaults(JSON.parse(readFileSync(inRoot("package-lock.json"), "utf8")))).toEqual([]);
  });

  it("has no fault when every optional dependency is locked, beside the package or inside it", () => {
    expect(lockFaults({ packages: whole })).toEqual([]);
  });

  it("without the binary of another platform is refused with what to do", () => {
    const { "node_modules/@linter/linux": _, ...packages } = whole;
    expect(lockFaults({ packages })).toEqual([
      "node_modules/linter wants @linter/linux, which is not in the lock. Pin a version of which every platform's package is published, delete node_modules and package-lock.json, and run `npm install`.",
    ]);
  });

  it("is not content with the same package inside of a neighbour", () => {
    const { "node_modules/linter/node_modules/@linter/mac": mac, ...rest } = whole;
    const packages = { ...rest, "node_modules/other/node_modules/@linter/mac": mac };
    expect(lockFaults({ packages })).toEqual([expect.stringMatching(/^node_modules\/linter wants @linter\/mac/)]);
  });

  it("with a registry's address is refused with what to do", () => {
    const linter = { version: "1.0.0", resolved: "https://registry.example/linter-1.0.0.tgz" };
    expect(lockFaults({ packages: { ...whole, "node_modules/linter": linter } })).toEqual([
      expect.stringMatching(/^node_modules\/linter is locked to the address https:.* Run `npm install`/),
    ]);
  });
});
