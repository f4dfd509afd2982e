/** Feared: a setting that is passed over in silence, or an error that does not say where. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RuntimeConfig, readRuntimeConfig, runtimeConfigSchema } from "./runtime-config.ts";
import { runtimeSettings } from "./runtime-settings.ts";

function configFile(content: unknown): string {
  const directory = mkdtempSync(join(tmpdir(), "runtime-config-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "runtime.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

test.each([
  [{ prot: 1 }, /runtime\.json is not right:\n {2}prot: there is no such setting; there are .*port/],
  [{ limits: { idleTimeout: 1 } }, /limits\.idleTimeout: there is no such setting; there are .*idleTimeoutMs/],
  [{ port: "2470" }, /runtime\.json is not right:\n {2}port: /],
  [{ port: 70_000 }, /port: /],
  [{ limits: { maxRestarts: -1 } }, /limits\.maxRestarts: /],
  [{ pool: { sise: 1 } }, /pool\.sise: there is no such setting; there are size/],
  [{ pool: { size: 1, sandbox: { memory: 1 } } }, /pool\.sandbox\.memory: there is no such setting/],
  [{ logLevel: "loud" }, /logLevel: /],
  [[], /the whole file: /],
  ["{", /runtime\.json is not JSON: /],
])("%j is refused with the name of the setting and the file", (content, sentence) => {
  expect(() => readRuntimeConfig(configFile(content))).toThrow(sentence);
});

test("the schema for editors has every setting and refuses others", () => {
  expect(runtimeConfigSchema()).toMatchObject({
    additionalProperties: false,
    properties: Object.fromEntries(Object.keys(RuntimeConfig.shape).map((name) => [name, expect.anything()])),
  });
});

test("a file that is not there is named", () => {
  expect(() => readRuntimeConfig("/nowhere/x.json")).toThrow("/nowhere/x.json cannot be read (ENOENT)");
});

test("flags win over the environment, and that over the file", () => {
  const file = configFile({
    host: "0.0.0.0",
    port: 1,
    dataDir: "of-file",
    logLevel: "debug",
    providerSettings: { isolation: "bubblewrap", controlGroups: "none" },
    limits: { idleTimeoutMs: 1_000 },
    pool: { size: 3, maxAtOnce: 1 },
  });
  expect(runtimeSettings({ config: file }, {})).toMatchObject({
    host: "0.0.0.0",
    port: 1,
    directory: join(file, "..", "of-file", "runtime"),
    logLevel: "debug",
    limits: { idleTimeoutMs: 1_000 },
    pool: { size: 3, maxAtOnce: 1 },
  });
  expect(runtimeSettings({ config: file, poolSize: "0" }, {}).pool).toEqual({ size: 0, maxAtOnce: 1 });
  const env = { SANDBOX_AGENT_DATA_DIR: "/of/env" };
  const flags = { config: file, port: "2", host: "::1", isolation: "none", logLevel: "warn" };
  expect(runtimeSettings(flags, env)).toMatchObject({
    host: "::1",
    port: 2,
    directory: "/of/env/runtime",
    logLevel: "warn",
    providerSettings: { isolation: "none", controlGroups: "none" },
  });
  expect(runtimeSettings({ ...flags, dataDir: "/of/flag" }, env).directory).toBe("/of/flag/runtime");
});

test("the documentation has every setting, and its example is right", () => {
  const page = readFileSync(new URL("../../../../docs/runtime.mdx", import.meta.url), "utf8");
  const [, example = ""] = /```json runtime\.json\n([\s\S]*?)```/.exec(page) ?? [];
  expect(readRuntimeConfig(configFile(example))).toMatchObject({ port: expect.any(Number) });
  const { limits, pool, quotas, audit, ...own } = RuntimeConfig.shape;
  const names = [
    ...Object.keys(own),
    ...Object.keys(limits.unwrap().shape).map((name) => `limits.${name}`),
    ...Object.keys(pool.unwrap().shape).map((name) => `pool.${name}`),
    ...Object.keys(quotas.unwrap().shape).map((name) => `quotas.${name}`),
    ...Object.keys(audit.unwrap().shape).map((name) => `audit.${name}`),
  ];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("flags of Docker are settings of that provider, and DOCKER_HOST is its place", () => {
  const flags = { provider: "docker", dockerImage: "i", dockerPrograms: "image", dockerNetwork: "internal" };
  const settings = { image: "i", programs: "image", network: "internal" };
  expect(runtimeSettings(flags, { DOCKER_HOST: "unix:///d" }).providerSettings).toEqual({
    ...settings,
    host: "unix:///d",
  });
  expect(runtimeSettings({ ...flags, dockerHost: "unix:///e" }, { DOCKER_HOST: "unix:///d" }).providerSettings).toEqual(
    {
      ...settings,
      host: "unix:///e",
    },
  );
});
