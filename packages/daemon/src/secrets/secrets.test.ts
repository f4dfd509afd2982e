import { describe, expect, test } from "vitest";
import { secretsIn, secretsOfDaemon, secretsOfSession } from "./secret-variables.ts";
import { Secrets } from "./secrets.ts";

const key = "sk-live-0123456789";

describe("redacting", () => {
  test("takes every secret out of a text, the longest first, and leaves other texts as they are", () => {
    const secrets = new Secrets(["abcdefgh", "abcdefghij", key]);
    expect(secrets.redact(`one ${key}, two abcdefghij.`)).toBe("one [redacted], two [redacted].");
    expect(secrets.redact("abcdefg")).toBe("abcdefg");
    expect(new Secrets().redact(key)).toBe(key);
  });

  test("finds it in JSON, in JSON within JSON and in a URL, and JSON stays JSON", () => {
    const odd = 'a "quoted"\nkey/1';
    const secrets = new Secrets([odd]);
    for (const value of [{ odd }, { inner: JSON.stringify({ odd }) }, { url: `x?key=${encodeURIComponent(odd)}` }]) {
      const line = secrets.redactJson(JSON.stringify(value));
      expect(JSON.stringify(JSON.parse(line))).toContain("[redacted]");
      expect(line).not.toMatch(/quoted/);
    }
  });

  test("what only looks like one behind a backslash is none", () => {
    const line = JSON.stringify({ text: "a\nabcdefgh and nabcdefgh" });
    expect(JSON.parse(new Secrets(["nabcdefgh"]).redactJson(line))).toEqual({ text: "a\nabcdefgh and [redacted]" });
  });

  test("goes through all that a value has, and answers with itself where nothing is", () => {
    const secrets = new Secrets([key]);
    const value = { a: [1, { b: `x${key}` }], c: null, d: "e" };
    expect(secrets.redactIn(value)).toEqual({ a: [1, { b: "x[redacted]" }], c: null, d: "e" });
    const harmless = { a: [1, { b: "x" }] };
    expect(secrets.redactIn(harmless)).toBe(harmless);
  });

  test("a secret with signs of a pattern is only itself", () => {
    expect(new Secrets(["a.c+d(e)[f]"]).redact("abc+d(e)[f] a.c+d(e)[f]")).toBe("abc+d(e)[f] [redacted]");
  });

  test("forgets the oldest of very many", () => {
    const secrets = new Secrets([key]);
    secrets.add(Array.from({ length: 1_000 }, (_, n) => `secret-number-${n}-`));
    expect(secrets.redact(`${key} secret-number-999-`)).toBe(`${key} [redacted]`);
  });
});

describe("what is secret", () => {
  test("are the variables whose names say so, from eight characters up", () => {
    const variables = {
      OPENAI_API_KEY: key,
      gh_token: "gho_0123456789",
      DB_PASSWORD: "hunter2hunter2",
      SHORT_KEY: "1234567",
      MAX_OUTPUT_TOKENS: "123456789",
      KEY_FILE: "/run/secrets/key",
      TOKEN_URL: "https://example.com",
      HOME: "/home/somebody",
      NO_KEY: undefined,
      LOCAL_KEY: "not-needed",
      CONFIG: JSON.stringify({
        provider: { a: { options: { apiKey: "of-a-provider-1", baseURL: "http://127.0.0.1" } } },
      }),
      BRACE_KEY: "{ no JSON",
    };
    expect(secretsIn(variables)).toEqual([key, "gho_0123456789", "hunter2hunter2", "of-a-provider-1"]);
  });

  test("of a session are those of its agent and of the MCP servers", () => {
    const env = { MY_TOKEN: "of-this-session-1" };
    expect(
      secretsOfSession({
        env,
        mcp: {
          a: { type: "local", command: "x", env: { A_SECRET: "of-a-program-1" } },
          b: {
            type: "remote",
            url: "http://x",
            headers: { Authorization: "Bearer of-a-service-1", "x-trace": "abcdefghi" },
          },
        },
      }),
    ).toEqual(["of-this-session-1", "of-a-program-1", "of-a-service-1"]);
  });

  test("of the daemon are its token, its environment and that of agents of the configuration", () => {
    const acpAgents = [{ id: "x", command: "x", env: { X_KEY: "of-an-agent-it-is" } }];
    const secrets = secretsOfDaemon({ token: "of-the-daemon-it-is", env: { Y_KEY: "of-the-environment" }, acpAgents });
    expect(secrets.sort()).toEqual(["of-an-agent-it-is", "of-the-daemon-it-is", "of-the-environment"]);
  });
});
