/** Feared: packages from another registry than the one this machine is set up for, or credentials in the wrong hands. */
import { copyFile, link, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryDirectory } from "./__fixtures__/installer-world.ts";
import { findRegistries } from "./npm-registry.ts";

let home: string;
/** Without anything npm is configured with by whoever runs the tests. */
let env: Record<string, string | undefined>;
let node: string;

beforeEach(async () => {
  node = process.execPath;
  home = await temporaryDirectory();
  const nothing = join(home, "no-npmrc");
  env = { PATH: process.env.PATH, HOME: home, npm_config_globalconfig: nothing, npm_config_cache: join(home, ".npm") };
});

/** Neither on PATH nor beside Node. */
function withoutNpm(): void {
  env.PATH = home;
  node = join(home, "bin", "node");
}

const npmrc = (text: string) => writeFile(join(home, ".npmrc"), text);
const findRegistry = async (name: string) => (await findRegistries(env, node))(name);
const registryOf = async (name: string) => (await findRegistry(name)).url;

const configured = `registry=http://general.example/npm
@scope:registry=http://scope.example/
//general.example/npm/:_authToken=general-token
`;

describe.each([
  ["with npm", () => {}],
  ["without npm", () => withoutNpm()],
])("%s", (_name, prepare) => {
  beforeEach(() => prepare());

  test("the user's .npmrc says it, for a scope and in general, with credentials", async () => {
    await npmrc(configured);
    expect(await registryOf("tool")).toBe("http://general.example/npm/");
    expect(await registryOf("@other/tool")).toBe("http://general.example/npm/");
    expect(await registryOf("@scope/tool")).toBe("http://scope.example/");
    const registry = await findRegistry("tool");
    expect(registry.authorization("http://general.example/npm/tool")).toBe("Bearer general-token");
    expect(registry.authorization("http://scope.example/tool")).toBeUndefined();
  });

  test("the .npmrc of the directory that the daemon was started in decides nothing", async () => {
    await npmrc(configured);
    const project = await temporaryDirectory();
    await writeFile(join(project, "package.json"), "{}");
    await writeFile(
      join(project, ".npmrc"),
      "registry=http://project.example/\n//general.example/npm/:_authToken=stolen\n",
    );
    const before = process.cwd();
    process.chdir(project);
    onTestFinished(() => process.chdir(before));
    const registry = await findRegistry("tool");
    expect(registry.url).toBe("http://general.example/npm/");
    expect(registry.authorization("http://general.example/npm/tool")).toBe("Bearer general-token");
  });

  test("npm's variable stands above it, in both spellings", async () => {
    await npmrc("registry=http://general.example/");
    env.npm_config_registry = "http://variable.example/";
    expect(await registryOf("tool")).toBe("http://variable.example/");
    delete env.npm_config_registry;
    env.NPM_CONFIG_REGISTRY = "http://upper.example/";
    expect(await registryOf("tool")).toBe("http://upper.example/");
  });

  test("npm_config_userconfig names another file", async () => {
    await mkdir(join(home, "elsewhere"));
    const file = join(home, "elsewhere", "npmrc");
    await writeFile(file, "registry=http://elsewhere.example/\n//elsewhere.example/:_authToken=t\n");
    env.npm_config_userconfig = file;
    const registry = await findRegistry("tool");
    expect(registry.url).toBe("http://elsewhere.example/");
    expect(registry.authorization("http://elsewhere.example/tool")).toBe("Bearer t");
  });

  test("SANDBOX_AGENT_NPM_REGISTRY stands above everything, for every scope, and npm's credentials count for it", async () => {
    await npmrc(`${configured}//ours.example/:_authToken=ours\n`);
    env.npm_config_registry = "http://variable.example/";
    env.SANDBOX_AGENT_NPM_REGISTRY = "http://ours.example";
    const registry = await findRegistry("@scope/tool");
    expect(registry.url).toBe("http://ours.example/");
    expect(registry.authorization("http://ours.example/@scope%2ftool")).toBe("Bearer ours");
  });
});

test("the npm that came with Node is asked, where none is on PATH", async () => {
  withoutNpm();
  const script = join(home, "lib", "node_modules", "npm", "bin", "npm-cli.js");
  await mkdir(dirname(script), { recursive: true });
  await mkdir(dirname(node));
  await writeFile(script, "console.log(JSON.stringify({ registry: 'http://beside.example/' }))");
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
  expect(await registryOf("tool")).toBe("http://beside.example/");
});

test("without npm, the machine's npmrc is where npm would have it", async () => {
  withoutNpm();
  delete env.npm_config_globalconfig;
  await mkdir(join(home, "etc"));
  await writeFile(join(home, "etc", "npmrc"), "registry=http://machine.example/");
  expect(await registryOf("tool")).toBe("http://machine.example/");
  await npmrc("registry=http://user.example/");
  expect(await registryOf("tool")).toBe("http://user.example/");
});

test("without a setting npm's own default counts", async () => {
  expect(await registryOf("tool")).toMatch(/^https:\/\/.+\/$/);
});

test("a bundled program knows npm's default where there is no npm; settings stand above it", async () => {
  vi.stubGlobal("SANDBOX_AGENT_DEFAULT_REGISTRY", "http://default.example/");
  onTestFinished(() => void vi.unstubAllGlobals());
  withoutNpm();
  expect(await registryOf("@scope/tool")).toBe("http://default.example/");
  await npmrc(configured);
  expect(await registryOf("@scope/tool")).toBe("http://scope.example/");
});

test("without npm and without a setting there is none, and a sentence says what to do", async () => {
  withoutNpm();
  await expect(findRegistry("tool")).rejects.toMatchObject({
    code: "install_failed",
    message: expect.stringContaining("set SANDBOX_AGENT_NPM_REGISTRY"),
    details: { step: "registry" },
  });
});

test("credentials in the URL become a header for that host alone", async () => {
  env.SANDBOX_AGENT_NPM_REGISTRY = "http://me:p%40ss@ours.example/npm";
  const registry = await findRegistry("tool");
  expect(registry.url).toBe("http://ours.example/npm/");
  expect(registry.authorization("http://ours.example/npm/tool")).toBe(
    `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
  );
  expect(registry.authorization("http://files.example/tool.tgz")).toBeUndefined();
});

test.each(["not a url", "ftp://ours.example/", "file:///etc/"])("%s is no registry", async (named) => {
  env.SANDBOX_AGENT_NPM_REGISTRY = named;
  await expect(findRegistry("tool")).rejects.toMatchObject({
    code: "install_failed",
    details: { step: "registry" },
  });
});
