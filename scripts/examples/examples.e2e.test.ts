/** Every example works for somebody who copied it out: from the tarballs, by its README, without a network. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureNodeImage } from "../../packages/runtime/src/sandboxes/docker/__fixtures__/built-image.ts";
import { type TestEngine, testEngine } from "../../packages/runtime/src/sandboxes/docker/__fixtures__/test-engine.ts";
import { packedTarballs } from "../packed-tarballs.ts";
import { inRoot } from "../root.mjs";
import { copyExample, installOutside } from "./install-outside.ts";
import { runLine, startLine } from "./outside-command.ts";

const setupMs = 5 * 60_000;
const timeout = 3 * 60_000;

const hosted = ["e2b", "daytona", "vercel", "modal", "kubernetes", "cloudflare/client"];
const ofProviders = ["local", "docker", ...hosted];
const products = ["review-bot", "ci-fix", "slack-like-approval"];
const examples = [...ofProviders, ...products];

const hasBubblewrap = spawnSync("bwrap", ["--version"]).error === undefined;
const missing = hasBubblewrap ? "" : " (left out: bubblewrap is not installed)";
const found = await testEngine();
const withoutDocker = "problem" in found ? ` (left out: ${found.problem})` : "";

const read = (example: string, file: string) => readFileSync(inRoot("examples", example, file), "utf8");

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-agent-examples-"));
  installOutside(folder, await packedTarballs());
  for (const example of examples) copyExample(example, folder);
}, setupMs);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

it("all of them compile", { timeout }, async () => {
  const include = examples.map((example) => `${example}/src`);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: "./local/tsconfig.json", include }));
  await runLine(folder, "node_modules/.bin/tsc -p .");
});

it.each(examples)("%s names every package that it imports", (example) => {
  const manifest = JSON.parse(read(example, "package.json")) as Record<string, Record<string, string>>;
  const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const sources = readdirSync(inRoot("examples", example, "src")).map((file) => read(example, `src/${file}`));
  const imported = sources.flatMap((text) => [...text.matchAll(/ from "((?:@[^/"]+\/)?[^./"][^/"]*)/g)]);
  const unnamed = imported
    .map((match) => match[1]!)
    .filter((name) => !name.startsWith("node:") && !named.includes(name));
  expect(unnamed).toEqual([]);
  expect(read(example, "tsconfig.json")).toBe(read("local", "tsconfig.json"));
});

it.each(ofProviders)("%s differs from the others in its provider only", (example) => {
  const tour = (name: string) => read(name, "src/index.ts").replace(/await startRuntime\(.*?\);/s, "");
  expect(tour(example)).toBe(tour("local"));
  expect(read(example, "src/start-runtime.ts")).toBe(read("local", "src/start-runtime.ts"));
});

describe.concurrent("by its own test", { timeout }, () => {
  const passes = async (example: string, env = {}) =>
    expect(await runLine(join(folder, example), "npm test", { ...env, NO_COLOR: "1" })).toMatch(/Tests +\d+ passed \(/);

  it.each(["local", ...products])("%s", (example) => passes(example));
  it.skipIf(!hasBubblewrap).each(hosted)(`%s${missing}`, (example) => passes(example));
  it.skipIf(withoutDocker !== "")(`docker${withoutDocker}`, async () => {
    const { engine, host } = found as TestEngine;
    await passes("docker", { DOCKER_HOST: host, DOCKER_IMAGE: await ensureNodeImage(engine) });
  });
});

interface Facts {
  readonly env: Readonly<Record<string, string>>;
  readonly providerSettings: Readonly<Record<string, string>>;
}

describe.skipIf(!hasBubblewrap)(`by its README, without an account${missing}`, { timeout, concurrent: true }, () => {
  it.each(hosted)("%s", async (example) => {
    const place = join(folder, example);
    const [line] = /^npx sandbox-agent testing provider .*$/m.exec(read(example, "README.md"))!;
    const service = await startLine(place, `${line.replace("npx ", "node_modules/.bin/")} --json`);
    const { env, providerSettings } = JSON.parse(service.first) as Facts;
    const more = example === "vercel" ? { VERCEL_API_URL: providerSettings.apiUrl! } : {};
    const said = await runLine(place, "npm start", { ...env, ...more });
    expect(said).toContain("It printed: hello from the sandbox");
    expect(said).toContain("# The sandbox is gone");
    expect(await service.end()).toBe(0);
  });
});
