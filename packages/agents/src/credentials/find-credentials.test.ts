import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { madeHome } from "./__fixtures__/made-home.ts";
import { agentsWithCredentials, findCredentials } from "./find-credentials.ts";

const past = Date.parse("2020-01-01T00:00:00Z");
const future = Date.parse("2999-01-01T00:00:00Z");
const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;

interface Machine {
  readonly files?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly platform?: string;
}

async function found(agent: string, { files = {}, env = {}, platform = "linux" }: Machine) {
  const home = madeHome(files);
  const credentials = await findCredentials({ env: { HOME: home, ...env }, platform, agents: [agent] });
  return credentials.map(({ agent: _, ...rest }) => ({ ...rest, source: rest.source.replaceAll(`${home}/`, "~/") }));
}

/** What a machine with one thing on it has for an agent, and whether the agent can use it. */
const cases: [what: string, agent: string, machine: Machine, expected: object[]][] = [
  [
    "a key in the environment",
    "claude",
    { env: { ANTHROPIC_API_KEY: "k" } },
    [
      {
        provider: "anthropic",
        kind: "api-key",
        variable: "ANTHROPIC_API_KEY",
        secret: "k",
        source: "env ANTHROPIC_API_KEY",
      },
    ],
  ],
  ["a key that the program does not read", "claude", { env: { CLAUDE_API_KEY: "k" } }, []],
  ["a choice that is off", "claude", { env: { CLAUDE_CODE_USE_BEDROCK: "0" } }, []],
  ...["BEDROCK", "VERTEX", "FOUNDRY", "MANTLE", "GATEWAY", "ANTHROPIC_AWS", "ANTHROPIC_GOOGLE_CLOUD"].map(
    (name): [string, string, Machine, object[]] => [
      `the choice of ${name}`,
      "claude",
      { env: { [`CLAUDE_CODE_USE_${name}`]: "1" } },
      [{ kind: "cloud", source: `env CLAUDE_CODE_USE_${name}` }],
    ],
  ),
  [
    "a key for Bedrock alone",
    "claude",
    { env: { AWS_BEARER_TOKEN_BEDROCK: "b" } },
    [{ provider: "amazon-bedrock", variable: "AWS_BEARER_TOKEN_BEDROCK", secret: "b" }],
  ],
  [
    "a federated identity",
    "claude",
    { env: { ANTHROPIC_IDENTITY_TOKEN_FILE: "/run/t", ANTHROPIC_FEDERATION_RULE_ID: "r" } },
    [{ kind: "cloud" }],
  ],
  ["half of a federated identity", "claude", { env: { ANTHROPIC_IDENTITY_TOKEN: "t" } }, []],
  [
    "a sign-in that is good",
    "claude",
    {
      files: {
        ".claude/.credentials.json": { claudeAiOauth: { accessToken: "a", refreshToken: "r", expiresAt: future } },
        ".claude.json": { oauthAccount: { emailAddress: "me@example.com" } },
      },
    },
    [
      {
        kind: "oauth",
        variable: "CLAUDE_CODE_OAUTH_TOKEN",
        secret: "a",
        source: "~/.claude/.credentials.json",
        expiresAt: "2999-01-01T00:00:00.000Z",
        expired: false,
        refreshable: true,
        account: "me@example.com",
      },
    ],
  ],
  [
    "a sign-in that has expired, the time as text",
    "claude",
    {
      files: {
        ".claude/.credentials.json": {
          claudeAiOauth: { accessToken: "a", refreshToken: "r", expiresAt: `${past}`, refreshTokenExpiresAt: past },
        },
      },
    },
    [{ expired: true, refreshable: false }],
  ],
  [
    "a sign-in that has ended",
    "claude",
    { files: { ".claude/.credentials.json": { claudeAiOauth: { accessToken: "a", refreshToken: "" } } } },
    [],
  ],
  [
    "credentials of their own folder",
    "claude",
    {
      files: { "safe/.credentials.json": { claudeAiOauth: { accessToken: "a" } } },
      env: { CLAUDE_SECURESTORAGE_CONFIG_DIR: "safe" },
    },
    [],
  ],
  [
    "a helper, which is named and not run",
    "claude",
    { files: { ".claude/settings.json": { apiKeyHelper: "touch ~/was-run" } } },
    [{ kind: "helper", source: "~/.claude/settings.json (apiKeyHelper)" }],
  ],
  [
    "variables in settings",
    "claude",
    { files: { ".claude/settings.json": { env: { ANTHROPIC_AUTH_TOKEN: "t", CLAUDE_CODE_USE_VERTEX: 1 } } } },
    [{ kind: "oauth", secret: "t", source: "~/.claude/settings.json (env)" }],
  ],
  [
    "an account whose token is in the keychain",
    "claude",
    { files: { ".claude.json": { oauthAccount: { emailAddress: "me@example.com" } } }, platform: "darwin" },
    [{ kind: "oauth", source: "in the keychain (~/.claude.json)", account: "me@example.com" }],
  ],
  [
    "the same on a system without a keychain",
    "claude",
    { files: { ".claude.json": { oauthAccount: { emailAddress: "me@example.com" } } } },
    [],
  ],
  [
    "a sign-in of a person",
    "codex",
    {
      files: {
        ".codex/auth.json": {
          OPENAI_API_KEY: null,
          tokens: {
            id_token: jwt({ email: "me@example.com" }),
            access_token: jwt({ exp: past / 1000 }),
            refresh_token: "r",
          },
        },
      },
    },
    [
      {
        kind: "oauth",
        expired: true,
        refreshable: true,
        expiresAt: "2020-01-01T00:00:00.000Z",
        account: "me@example.com",
      },
    ],
  ],
  ["a file that a sign-in left empty", "codex", { files: { ".codex/auth.json": {} } }, []],
  [
    "the other keys of its file",
    "codex",
    { files: { ".codex/auth.json": { OPENAI_API_KEY: "k", personal_access_token: "p", bedrock_api_key: "b" } } },
    [
      { variable: "OPENAI_API_KEY", secret: "k" },
      { kind: "oauth", secret: "p" },
      { variable: "AWS_BEARER_TOKEN_BEDROCK", secret: "b" },
    ],
  ],
  [
    "an access token",
    "codex",
    { env: { CODEX_ACCESS_TOKEN: "t" } },
    [{ kind: "oauth", variable: "CODEX_ACCESS_TOKEN" }],
  ],
  [
    "the key of a provider in its config",
    "codex",
    { files: { ".codex/config.toml": '[model_providers.x]\nenv_key = "MY_KEY"\n' }, env: { MY_KEY: "k", OTHER: "o" } },
    [{ kind: "api-key", variable: "MY_KEY", secret: "k" }],
  ],
  [
    "entries of every kind",
    "opencode",
    {
      files: {
        ".local/share/opencode/auth.json": {
          google: { type: "api", key: "g" },
          "amazon-bedrock": { type: "api", key: "b" },
          azure: { type: "api", key: "z" },
          "google-vertex": { type: "api", key: "v" },
          "my-own": { type: "api", key: "m" },
          anthropic: { type: "oauth", access: "a", refresh: "r", expires: past, accountId: "acc" },
          "github-copilot": { type: "oauth", access: "", refresh: "gho", expires: 0 },
          "https://company.example": { type: "wellknown", key: "COMPANY_TOKEN", token: "t" },
          broken: { type: "api", key: 7 },
          odd: "text",
        },
      },
    },
    [
      { provider: "google", variable: "GOOGLE_GENERATIVE_AI_API_KEY", secret: "g" },
      { provider: "amazon-bedrock", variable: "AWS_BEARER_TOKEN_BEDROCK", secret: "b" },
      { provider: "azure", variable: "AZURE_API_KEY", secret: "z" },
      { provider: "google-vertex", secret: "v" },
      { provider: "my-own", variable: "MY_OWN_API_KEY", secret: "m" },
      { provider: "anthropic", kind: "oauth", expired: true, refreshable: true, account: "acc" },
      { provider: "github-copilot", kind: "oauth", secret: "gho", expired: false },
      { provider: "https://company.example", kind: "oauth", variable: "COMPANY_TOKEN", secret: "t" },
    ],
  ],
  [
    "a variable in place of its file",
    "opencode",
    {
      files: { ".local/share/opencode/auth.json": { openai: { type: "api", key: "in the file" } } },
      env: { OPENCODE_AUTH_CONTENT: '{"xai":{"type":"api","key":"x"}}' },
    },
    [{ provider: "xai", variable: "XAI_API_KEY", secret: "x", source: "env OPENCODE_AUTH_CONTENT" }],
  ],
  [
    "providers of the user's own, with comments between them",
    "opencode",
    {
      files: {
        ".config/opencode/opencode.jsonc": `{ // mine
          "provider": { "a": { "options": { "apiKey": "k" } }, "b": { "options": { "apiKey": "{env:MY_KEY}" } },
            "c": { "options": { "apiKey": "{env:NONE}" } }, "d": { "options": { "apiKey": "{file:~/k}" } }, "e": {} } }`,
      },
      env: { MY_KEY: "m" },
    },
    [
      { provider: "a", secret: "k" },
      { provider: "b", variable: "MY_KEY", secret: "m" },
      { provider: "d", kind: "helper" },
      { provider: "e", kind: "cloud" },
    ],
  ],
  [
    "keys for two services",
    "amp",
    {
      files: {
        ".local/share/amp/secrets.json": { "apiKey@https://other.example/": "o", "apiKey@https://ampcode.com/": "a" },
      },
    },
    [{ provider: "amp", variable: "AMP_API_KEY", secret: "a" }],
  ],
  [
    "keys for two services and an address",
    "amp",
    {
      files: {
        ".local/share/amp/secrets.json": { "apiKey@https://ampcode.com/": "a", "apiKey@https://other.example/": "o" },
      },
      env: { AMP_URL: "https://other.example" },
    },
    [{ secret: "o" }],
  ],
  [
    "a key for another service",
    "amp",
    { files: { ".local/share/amp/secrets.json": { "apiKey@https://other.example/": "o" } } },
    [],
  ],
  ["a workload's identity", "amp", { env: { AMP_WORKLOAD_IDENTITY_TOKEN_FILE: "/run/t" } }, [{ kind: "cloud" }]],
  ["a sign-in file without one", "gemini", { files: { ".gemini/oauth_creds.json": {} } }, []],
  [
    "a sign-in",
    "gemini",
    {
      files: {
        ".gemini/oauth_creds.json": { access_token: "a", refresh_token: "r", expiry_date: past },
        ".gemini/google_accounts.json": { active: "me@example.com" },
      },
    },
    [{ kind: "oauth", secret: "a", expired: true, refreshable: true, account: "me@example.com" }],
  ],
  [
    "a key that was encrypted",
    "gemini",
    { files: { ".gemini/gemini-credentials.json": "ab:cd:ef" } },
    [{ kind: "oauth" }],
  ],
  ["a key for Vertex", "gemini", { env: { GOOGLE_API_KEY: "g" } }, [{ variable: "GOOGLE_API_KEY", secret: "g" }]],
  [
    "an access token of Google Cloud",
    "gemini",
    { env: { GOOGLE_GENAI_USE_GCA: "true", GOOGLE_CLOUD_ACCESS_TOKEN: "t" } },
    [{ kind: "oauth", variable: "GOOGLE_CLOUD_ACCESS_TOKEN" }],
  ],
  [
    "a key in its .env",
    "gemini",
    { files: { ".gemini/.env": '# mine\nexport GEMINI_API_KEY="in the file"\n' } },
    [{ secret: "in the file", source: "~/.gemini/.env (GEMINI_API_KEY)" }],
  ],
  [
    "settings without a key",
    "qwen",
    { files: { ".qwen/settings.json": { security: { auth: { selectedType: "openai" } } } } },
    [],
  ],
  [
    "keys in settings and .env",
    "qwen",
    {
      files: {
        ".qwen/settings.json": {
          env: { DASHSCOPE_API_KEY: "d" },
          security: { auth: { apiKey: "s" } },
          modelProviders: { openai: [{ id: "m", envKey: "MY_KEY" }] },
        },
        ".qwen/.env": "BAILIAN_CODING_PLAN_API_KEY=b\nMY_KEY='m'",
      },
    },
    [
      { provider: "alibaba-coding-plan", secret: "b" },
      { provider: "own", variable: "MY_KEY", secret: "m" },
      { provider: "alibaba", secret: "d" },
      { provider: "own", secret: "s" },
    ],
  ],
  [
    "a sign-in",
    "qwen",
    { files: { ".qwen/oauth_creds.json": { access_token: "a", expiry_date: past } } },
    [{ provider: "qwen", expired: true, refreshable: false }],
  ],
  [
    "what it writes by itself",
    "copilot",
    { files: { ".copilot/config.json": { banner: "never", trusted_folders: [] } } },
    [],
  ],
  ["a user who signed out", "copilot", { files: { ".copilot/config.json": { loggedInUsers: [] } } }, []],
  [
    "a user whose token is in the keychain",
    "copilot",
    { files: { ".copilot/config.json": { loggedInUsers: [{ host: "https://github.com", login: "me" }] } } },
    [{ kind: "oauth", source: "in the keychain (~/.copilot/config.json)", account: "me" }],
  ],
  [
    "a user with a token in the file",
    "copilot",
    {
      files: {
        ".copilot/config.json": {
          last_logged_in_user: { login: "me" },
          copilot_tokens: { "https://github.com:me": "gho" },
        },
      },
    },
    [{ variable: "COPILOT_GITHUB_TOKEN", secret: "gho", account: "me" }],
  ],
  [
    "a model of one's own",
    "copilot",
    { env: { COPILOT_PROVIDER_BASE_URL: "http://127.0.0.1:1", COPILOT_PROVIDER_API_KEY_COMMAND: "touch ~/was-run" } },
    [{ kind: "cloud" }, { kind: "helper" }],
  ],
  [
    "a config without a provider",
    "goose",
    { files: { ".config/goose/config.yaml": "GOOSE_TELEMETRY_ENABLED: false\n" } },
    [],
  ],
  ["a provider without its key", "goose", { env: { GOOSE_PROVIDER: "openai" } }, []],
  [
    "a provider and its key",
    "goose",
    { env: { GOOSE_PROVIDER: "openai", OPENAI_API_KEY: "k" } },
    [{ variable: "OPENAI_API_KEY" }],
  ],
  [
    "a provider that needs no key",
    "goose",
    { env: { GOOSE_PROVIDER: "ollama" } },
    [{ provider: "ollama", kind: "cloud" }],
  ],
  [
    "a key in a file",
    "goose",
    {
      files: {
        ".config/goose/config.yaml": "GOOSE_PROVIDER: xai\n",
        ".config/goose/secrets.yaml": "XAI_API_KEY: 'x'\n",
      },
    },
    [{ provider: "xai", variable: "XAI_API_KEY", secret: "x", source: "~/.config/goose/secrets.yaml" }],
  ],
  [
    "a key that is in the keychain",
    "goose",
    { files: { ".config/goose/config.yaml": "GOOSE_PROVIDER: xai\n" } },
    [{ provider: "xai", source: "in the keychain (~/.config/goose/config.yaml)" }],
  ],
  [
    "a keychain that is switched off",
    "goose",
    { files: { ".config/goose/config.yaml": "GOOSE_PROVIDER: xai\n" }, env: { GOOSE_DISABLE_KEYRING: "1" } },
    [],
  ],
];

describe("credentials", () => {
  test("are looked for by every agent that has a program of its own, and there are none on a fresh machine", async () => {
    expect(agentsWithCredentials).toEqual(["amp", "claude", "codex", "copilot", "gemini", "goose", "opencode", "qwen"]);
    const warnings: string[] = [];
    expect(await findCredentials({ env: { HOME: madeHome() }, warn: (sentence) => warnings.push(sentence) })).toEqual(
      [],
    );
    expect(warnings).toEqual([]);
  });

  test.each(cases)("%s: %s", async (_what, agent, machine, expected) => {
    const credentials = await found(agent, machine);
    expect(credentials).toHaveLength(expected.length);
    expect(credentials).toMatchObject(expected);
  });

  test("are found in the environment before the files, and moved folders are followed", async () => {
    const home = madeHome({ "moved/.claude.json": { primaryApiKey: "file" } });
    const env = { HOME: home, ANTHROPIC_API_KEY: "env", CLAUDE_CONFIG_DIR: join(home, "moved") };
    const secrets = (await findCredentials({ env, agents: ["claude"] })).map(({ secret }) => secret);
    expect(secrets).toEqual(["env", "file"]);
  });
});
