import { NpmRegistry } from "@sandbox-agent-ts/testing";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { thisPlatform } from "../../resources/agent-schemas/src/platform-package.mjs";
import { describeVersion, findNewest } from "./find-newest.mjs";

const other = thisPlatform() === "darwin-arm64" ? "linux-x64" : "darwin-arm64";
let registry: NpmRegistry;

beforeEach(async () => {
  registry = await NpmRegistry.start();
  onTestFinished(() => registry.close());
  vi.stubEnv("SANDBOX_AGENT_NPM_REGISTRY", registry.url);
  onTestFinished(() => void vi.unstubAllEnvs());
});

const publish = (name: string, ...versions: string[]) =>
  Promise.all(versions.map((version) => registry.publish({ name, version, files: { tool: "" } })));

function agent(pinned: string, version?: string, versionPattern?: RegExp) {
  const packages = { [thisPlatform()]: { name: "tool-here", version }, [other]: { name: "tool-there", version } };
  const program = { name: "tool", version: pinned, versionPattern, source: { kind: "npm", packages } };
  return { program, packageName: undefined };
}

test("the newest is by its numbers, of this platform's package, and no preview", async () => {
  await publish("tool-here", "1.9.0", "1.10.0", "2.0.0-alpha.1", "1.2.0");
  expect(await findNewest(agent("1.9.0"))).toBe("1.10.0");
  expect(await findNewest(agent("1.11.0"))).toBe("1.11.0");
});

test("versions with the platform in them, and versions of a shape of their own", async () => {
  await publish("tool-here", "1.1.0-here", "1.2.0-there", "0.0.99-gabc", "0.0.100-gabd");
  expect(await findNewest(agent("1.0.0", "{version}-here"))).toBe("1.1.0");
  expect(await findNewest(agent("0.0.98-gaaa", undefined, /\d+\.\d+\.\d+-g[0-9a-f]+/))).toBe("0.0.100-gabd");
});

test("a platform that has no package yet is named", async () => {
  await publish("tool-here", "1.1.0");
  await publish("tool-there", "1.0.0");
  expect(await describeVersion(agent("1.0.0"), "1.1.0")).toEqual({ missingPlatforms: [other] });
});

test("what is not in the registry has no newest version, and that is said", async () => {
  await expect(findNewest(agent("1.0.0"))).rejects.toThrow("no version of tool-here like 1.0.0");
});
