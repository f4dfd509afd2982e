import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cacheDirectory } from "../packages/agents/src/install/cache-directory.ts";
import { cacheDirectory as scriptsCache } from "./cache-directory.mjs";
import { testEnvironment } from "./test-environment.mjs";

describe("the environment of tests", () => {
  it("has a fresh home and none of the secrets of the person who runs them", () => {
    const { env, dispose } = testEnvironment({
      PATH: "/bin",
      HOME: "/home/me",
      LC_ALL: "C",
      npm_config_registry: "r",
      npm_config__auth: "secret",
      ANTHROPIC_API_KEY: "secret",
      SANDBOX_AGENT_TOKEN: "secret",
      SANDBOX_AGENT_CODEX_VERSION: "1.2.3",
    });
    const { HOME: home, ...rest } = env;
    expect(existsSync(home)).toBe(true);
    expect(rest).toEqual({
      PATH: "/bin",
      LC_ALL: "C",
      npm_config_registry: "r",
      SANDBOX_AGENT_CODEX_VERSION: "1.2.3",
      USERPROFILE: home,
      SANDBOX_AGENT_CACHE_DIR: "/home/me/.cache/sandbox-agent",
      SANDBOX_AGENT_SOURCES: "npm",
    });
    dispose();
    expect(existsSync(home)).toBe(false);
  });

  it("has the secrets that were asked for by name", () => {
    const { env, dispose } = testEnvironment({ E2B_API_KEY: "wanted", OTHER_KEY: "secret" }, (name) =>
      name.startsWith("E2B_"),
    );
    expect(env).toMatchObject({ E2B_API_KEY: "wanted" });
    expect(env).not.toHaveProperty("OTHER_KEY");
    dispose();
  });

  it.each([
    { HOME: "/home/me" },
    { HOME: "/home/me", XDG_CACHE_HOME: "/cache" },
    { HOME: "/home/me", XDG_CACHE_HOME: "relative" },
    { HOME: "/home/me", XDG_CACHE_HOME: "/cache", SANDBOX_AGENT_CACHE_DIR: "/downloads" },
  ])("has the cache that the installer has: %o", (env) => {
    expect(scriptsCache(env)).toBe(cacheDirectory(env));
  });
});
