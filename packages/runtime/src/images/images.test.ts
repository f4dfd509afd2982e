/** Feared: a name that becomes a command of a shell in an image; a recipe that is described in two places and is two recipes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { extract } from "tar-stream";
import { expect, onTestFinished, test } from "vitest";
import { builtInProviders } from "../sandboxes/registry.ts";
import { packImageContext, writeImageContext } from "./image-context.ts";
import { imageFormat, providersWithImages, recipeFiles } from "./image-formats.ts";

const recipe = { agents: ["claude", "codex@0.1.0"], from: "node:22", tag: "mine:2" };

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "images-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function bundle(): string {
  const directory = temporary();
  mkdirSync(join(directory, "parts", "deep"), { recursive: true });
  mkdirSync(join(directory, "exe"));
  writeFileSync(join(directory, "sandbox-agent.cjs"), "// the daemon");
  writeFileSync(join(directory, "parts", "deep", "one.cjs"), "// a part");
  writeFileSync(join(directory, "exe", "large"), "what a build leaves beside it");
  return directory;
}

test("every recipe has the agents, their versions and what it is made of", () => {
  const { Dockerfile } = recipeFiles("docker", recipe);
  expect(Dockerfile).toContain('ARG AGENTS="claude codex@0.1.0"');
  expect(Dockerfile).toContain("ARG NODE_IMAGE=node:22");
  const { "e2b-template.mjs": template } = recipeFiles("e2b", recipe);
  expect(template).toMatch(
    /fromImage\("node:22"\)[\s\S]*install\.sh claude codex@0\.1\.0"[\s\S]*Template\.build\(template, "mine:2"/,
  );
  const { "vercel-snapshot.mjs": snapshot } = recipeFiles("vercel", recipe);
  expect(snapshot).toMatch(/install\.sh claude codex@0\.1\.0'/);
});

test.each(["e2b", "vercel"])("the program for %s is one", (provider) => {
  const { file } = imageFormat(provider);
  const path = join(temporary(), file);
  writeFileSync(path, recipeFiles(provider, recipe)[file]!);
  execFileSync(process.execPath, ["--check", path]);
});

test("every provider is made of images, except the one on this machine", () => {
  expect(builtInProviders.filter((name) => !providersWithImages.includes(name))).toEqual(["local"]);
  expect(() => imageFormat("local")).toThrow(/"local" are not made of images. Name one of docker, /);
});

test.each([
  { agents: ["claude; rm -rf /"] },
  { agents: ["$(id)"] },
  { agents: [], from: "node:20 AS x" },
  { agents: [], tag: 'a"b' },
])("%j is no recipe", (wrong) => {
  for (const provider of providersWithImages) expect(() => recipeFiles(provider, wrong)).toThrow(/is like .* not "/);
});

test("what a build needs is the same in a directory and in a tar, without what else is beside the daemon", async () => {
  const context = { files: { "install.sh": "#!/bin/sh\n" }, bundle: bundle() };
  const directory = temporary();
  await writeImageContext(directory, context);
  const written = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(directory.length + 1), readFileSync(path, "utf8")]);
  const packed: [string, string][] = [];
  const archive = packImageContext(context).pipe(extract());
  for await (const entry of archive) {
    const content = await text(entry);
    if (entry.header.type === "file") packed.push([entry.header.name, content]);
  }
  expect(packed.toSorted()).toEqual(written.toSorted());
  expect(packed.map(([name]) => name).toSorted()).toEqual([
    "install.sh",
    "sandbox-agent/parts/deep/one.cjs",
    "sandbox-agent/sandbox-agent.cjs",
  ]);
});
