import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheDirectory } from "./cache-directory.mjs";

/** What tests may know of the machine: how to run programs, how to reach the package registry, how to print. */
const allowed = new Set([
  "PATH",
  "SHELL",
  "USER",
  "LOGNAME",
  "LANG",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "TERM",
  "COLORTERM",
  "COLUMNS",
  "NO_COLOR",
  "FORCE_COLOR",
  "CI",
  "SystemRoot",
  "ComSpec",
  "PATHEXT",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SANDBOX_AGENT_NPM_REGISTRY",
  "SANDBOX_AGENT_CHROMIUM",
  "DOCKER_HOST",
  "SANDBOX_AGENT_CRASH_ROUNDS",
  "SANDBOX_AGENT_CRASH_SEED",
  "SANDBOX_AGENT_CRASH_SANDBOXES",
  "SANDBOX_AGENT_ROUND_TRIP_FILES",
  "SANDBOX_AGENT_ROUND_TRIP_MEGABYTES",
  "npm_config_registry",
  "npm_config_cache",
  "npm_config_userconfig",
  "npm_config_globalconfig",
  "npm_config_cafile",
]);

/** `SANDBOX_AGENT_CODEX_VERSION`: an agent is tested in another version than the pinned one. */
const isVersion = (name) => /^SANDBOX_AGENT_[A-Z0-9_]+_VERSION$/.test(name);

const isAllowed = (name) => allowed.has(name) || name.startsWith("LC_") || isVersion(name);

/**
 * The environment of a test run: a home of its own, and neither tokens nor API keys of the person who runs it. Only their
 * cache is shared: no run downloads again what an earlier one has. `isGiven` names what is wanted all the same.
 * @param {NodeJS.ProcessEnv} env
 * @param {(name: string) => boolean} isGiven
 */
export function testEnvironment(env, isGiven = () => false) {
  const home = mkdtempSync(join(tmpdir(), "sandbox-agent-test-home-"));
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => isAllowed(name) || isGiven(name)));
  return {
    env: {
      ...kept,
      HOME: home,
      USERPROFILE: home,
      SANDBOX_AGENT_CACHE_DIR: cacheDirectory(env),
      // No test asks a vendor.
      SANDBOX_AGENT_SOURCES: "npm",
    },
    dispose: () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }),
  };
}
