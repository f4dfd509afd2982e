/** Feared: a page that promises what no test holds. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const page = readFileSync(join(root, "docs/security.mdx"), "utf8");
const section = (title: string) => page.split(`\n## ${title}\n`)[1]!.split("\n## ")[0]!;

/** The tests of a line; one without a folder is beside the one before it. */
function testsIn(line: string): string[] {
  let folder = "";
  return [...line.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => {
    if (path.includes("/")) folder = dirname(path);
    return path.includes("/") ? path : join(folder, path);
  });
}

const lines = section("Where each claim is tested")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| claim"));

test.each(lines)("%s", (line) => {
  const paths = testsIn(line);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("every guard that is listed has a line that says where it is tested", () => {
  const guards = [...section("What holds them").matchAll(/^- \*\*([^*]+?)\.?\*\*/gm)].map(([, name]) => name!);
  const told = lines.map((line) => line.split("|")[1]!.trim());
  const missing = guards.filter((name) => !told.some((claim) => claim.startsWith(name)));
  expect(guards.length).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});
