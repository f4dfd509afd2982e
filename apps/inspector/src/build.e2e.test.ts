/** Feared: a page that grows until it is slow to open, or that lets a script in. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { builtInAgents } from "@sandbox-agent-ts/agents";
import { beforeAll, expect, test } from "vitest";
import { inRoot } from "../../../scripts/root.mjs";
import { buildUi, uiDirectory } from "../../../scripts/setup.mjs";

const MAX_FIRST_LOAD_BYTES = 250_000;
/** A sentence that only React's development build has in it. */
const developmentOnly = "Each child in a list should have a unique";

beforeAll(() => buildUi(), 120_000);

test("what the first screen of a session loads is at most 250 kB of script, compressed", () => {
  const page = readFileSync(join(uiDirectory, "index.html"), "utf8");
  const linked = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? "");
  expect(linked.length).toBeGreaterThan(0);
  const loaded = withImports(new Set([...linked, ...assets().filter((path) => /assets\/shell-/.test(path))]));
  const bytes = [...loaded].map((path) => gzipSync(readFileSync(join(uiDirectory, path))).length);
  const sum = bytes.reduce((total, size) => total + size, 0);
  expect(sum).toBeLessThan(MAX_FIRST_LOAD_BYTES);
  for (const path of loaded) expect(readFileSync(join(uiDirectory, path), "utf8")).not.toContain(developmentOnly);
  expect([...loaded].some((path) => path.includes("highlighter"))).toBe(false);
});

test("no script or style stands in the page itself", () => {
  const page = readFileSync(join(uiDirectory, "index.html"), "utf8").replaceAll("&#39;", "'");
  expect(page).toContain("script-src 'self'; style-src 'self'");
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
});

test("no agent is named: everything comes from the API", () => {
  const names = builtInAgents;
  const src = inRoot("apps/inspector/src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const ours = files.filter((file) => !file.includes(".test.") && !file.includes("__fixtures__"));
  const word = new RegExp(`["'\`](${names.join("|")})["'\`]`, "i");
  expect(names.length).toBeGreaterThan(1);
  expect(ours.filter((file) => word.test(readFileSync(join(src, file), "utf8")))).toEqual([]);
});

function assets(): string[] {
  return readdirSync(join(uiDirectory, "assets"))
    .filter((name) => name.endsWith(".js"))
    .map((name) => `assets/${name}`);
}

/** These scripts and everything they import before they run. */
function withImports(paths: ReadonlySet<string>): Set<string> {
  const all = new Set(paths);
  for (const path of all) {
    const code = readFileSync(join(uiDirectory, path), "utf8");
    for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) all.add(`assets/${name}`);
  }
  return all;
}
