/** Feared: a program that carries the work of others without their names and licences. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { bundleCli, bundledFiles } from "./bundle-cli.mjs";
import { inRoot } from "./root.mjs";
import { uiDirectory } from "./setup.mjs";
import { thirdPartyNotices } from "./third-party-notices.mjs";

function packageWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "sandbox-agent-notices-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, "node_modules", "ada");
  mkdirSync(join(folder, "dist"), { recursive: true });
  const manifest = { name: "ada", version: "1.2.3", license: "MIT" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "dist", "package.json"), '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return join(folder, "dist", "index.js");
}

test.each(["LICENSE", "license.md", "LICENCE.txt", "LICENSE-MIT", "NOTICE"])(
  "%s is found beside the manifest",
  (name) => {
    const notices = thirdPartyNotices([packageWith({ [name]: "Copyright Ada" }), inRoot("packages/cli/src/bin.ts")]);
    expect(notices).toContain("ada 1.2.3 (MIT)\n\nCopyright Ada");
  },
);

test("a package without a licence text is refused", () => {
  expect(() => thirdPartyNotices([packageWith({})])).toThrow("ada is bundled and has no licence file.");
});

describe("what is built", () => {
  test("names every package in the CLI with its licence text", async () => {
    const { metafile } = await bundleCli("dist", { metafile: true });
    const packages = new Set(
      bundledFiles(metafile!).flatMap((file) => /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? []),
    );
    expect(packages).toContain("hono");
    const notices = readFileSync(inRoot("packages/cli/dist/THIRD-PARTY-NOTICES.txt"), "utf8");
    for (const name of packages) expect(notices).toMatch(new RegExp(`^${name} \\d.*\\)\\n\\n[^]{200}`, "m"));
  });

  test("names the packages in the inspector with their licence texts", () => {
    const notices = readFileSync(join(uiDirectory, "third-party-notices.md"), "utf8");
    for (const name of ["react", "react-dom", "marked"]) {
      expect(notices).toMatch(new RegExp(`^## ${name} - \\d.*\\n\\n[^]{200}`, "m"));
    }
  });
});
