/** Feared: a key that goes to a service it is not for, or in the place of what a person signed in with. */
import { expect, test } from "vitest";
import { credentials as claude } from "../agents/claude/credentials.ts";
import { credentials as codex } from "../agents/codex/credentials.ts";
import { credentials as copilot } from "../agents/copilot/credentials.ts";
import { credentials as opencode } from "../agents/opencode/credentials.ts";
import { madeHome } from "./__fixtures__/made-home.ts";
import { sharedKeys } from "./shared-keys.ts";

const inOpencode = (entries: object) => ({ ".local/share/opencode/auth.json": entries });
const anthropic = inOpencode({ anthropic: { type: "api", key: "of-opencode" } });
const withKey = { ANTHROPIC_API_KEY: "of-opencode" };

test.each([
  ["a key that another agent has", claude, anthropic, {}, withKey],
  ["the name by which people know its key", claude, {}, { CLAUDE_API_KEY: "known" }, { ANTHROPIC_API_KEY: "known" }],
  ["no key of its own twice", opencode, anthropic, {}, {}],
  ["no key where it has one", claude, anthropic, { ANTHROPIC_API_KEY: "own" }, {}],
  [
    "no key where a person signed in",
    claude,
    { ...anthropic, ".claude/.credentials.json": { claudeAiOauth: { accessToken: "a", refreshToken: "r" } } },
    {},
    {},
  ],
  [
    "a key where the sign-in is over",
    claude,
    { ...anthropic, ".claude/.credentials.json": { claudeAiOauth: { accessToken: "a", expiresAt: 1 } } },
    {},
    withKey,
  ],
  ["no key where it asks at another address", claude, anthropic, { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" }, {}],
  ["no key for another service", codex, anthropic, {}, {}],
  [
    "no key where its configuration names another service",
    codex,
    { ...inOpencode({ openai: { type: "api", key: "k" } }), ".codex/config.toml": 'model_provider = "mine"\n' },
    {},
    {},
  ],
  ["no sign-in of a person", codex, inOpencode({ openai: { type: "oauth", access: "a", refresh: "r" } }), {}, {}],
  ["nothing where nothing is documented", copilot, anthropic, {}, {}],
  ["nothing where that is switched off", claude, anthropic, { SANDBOX_AGENT_NO_SHARED_KEYS: "1" }, {}],
] as const)("%s", async (_what, credentials, files, env, expected) => {
  expect(await sharedKeys(credentials, { HOME: madeHome(files), ...env })).toEqual(expected);
});

test("a key of Codex is one for OpenCode, too", async () => {
  const home = madeHome({ ".codex/auth.json": { OPENAI_API_KEY: "of-codex" } });
  expect(await sharedKeys(opencode, { HOME: home })).toEqual({ OPENAI_API_KEY: "of-codex" });
});
