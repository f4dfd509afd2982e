import { expect, it } from "vitest";
import { withSharedFields } from "./package-manifests.mjs";

const own = {
  name: "@scope/one",
  version: "1.0.0",
  description: "one",
  keywords: ["one"],
  sideEffects: false,
  exports: {},
  files: ["extra"],
};

it("a package keeps its own fields and gets the shared ones", () => {
  const made = withSharedFields("one", { ...own, license: "MIT", dependencies: { zod: "1.0.0" } });
  expect(made).toMatchObject({
    ...own,
    files: expect.arrayContaining(["extra", "dist", "src", "!**/*.test.*"]),
    license: "Apache-2.0",
    repository: { directory: "packages/one" },
    publishConfig: { access: "public", provenance: true },
    dependencies: { zod: "1.0.0" },
  });
  expect(withSharedFields("one", made)).toEqual(made);
});

it("a program says alone which files it has", () => {
  expect(withSharedFields("one", { ...own, bin: { one: "bin.cjs" } })).toMatchObject({ files: ["extra"] });
});

it("a package without a description or keywords is told so", () => {
  const { description: _, keywords: __, ...rest } = own;
  expect(() => withSharedFields("one", rest)).toThrow("Add description, keywords to packages/one/package.json.");
});
