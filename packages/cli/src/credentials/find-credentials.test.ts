import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCredentials } from "./find-credentials.ts";
import { exportLines, redact } from "./present-credentials.ts";

let home: string;
let warnings: string[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "credentials-"));
  warnings = [];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), typeof content === "string" ? content : JSON.stringify(content));
}

const find = (env: Record<string, string> = {}) => findCredentials(home, env, (sentence) => warnings.push(sentence));

describe("credentials", () => {
  it("are none on a fresh machine, without a warning", () => {
    expect(find()).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it("are found in every agent's own files", () => {
    put(".claude.json", { primaryApiKey: "sk-claude" });
    put(".claude/.credentials.json", { claudeAiOauth: { accessToken: "oauth-claude" } });
    put(".codex/auth.json", { OPENAI_API_KEY: "sk-codex", tokens: { access_token: "oauth-codex" } });
    put(".local/share/opencode/auth.json", {
      "open-router": { type: "api", key: "sk-or" },
      anthropic: { type: "oauth", access: "oauth-opencode" },
    });
    put(".local/share/amp/secrets.json", { "apiKey@https://example.org/": "sgamp", other: "x" });
    expect(find().map(({ agent, kind, value, variable }) => [agent, kind, value, variable])).toEqual([
      ["claude", "api-key", "sk-claude", "ANTHROPIC_API_KEY"],
      ["claude", "oauth", "oauth-claude", "CLAUDE_CODE_OAUTH_TOKEN"],
      ["codex", "api-key", "sk-codex", "OPENAI_API_KEY"],
      ["codex", "oauth", "oauth-codex", undefined],
      ["opencode", "api-key", "sk-or", "OPEN_ROUTER_API_KEY"],
      ["opencode", "oauth", "oauth-opencode", undefined],
      ["amp", "api-key", "sgamp", "AMP_API_KEY"],
    ]);
  });

  it("are found in the environment before the files, and moved folders are followed", () => {
    put("moved/.claude.json", { primaryApiKey: "file" });
    const found = find({ ANTHROPIC_API_KEY: "env", CLAUDE_CONFIG_DIR: join(home, "moved"), AMP_API_KEY: "amp" });
    expect(found.map(({ value }) => value)).toEqual(["env", "file", "amp"]);
    expect(exportLines(found)).toEqual(["export ANTHROPIC_API_KEY=env", "export AMP_API_KEY=amp"]);
  });

  it("in a broken file are a warning that does not quote the file", () => {
    put(".codex/auth.json", '{"OPENAI_API_KEY": "sk-secret"');
    expect(find()).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings.join()).toContain("auth.json");
    expect(warnings.join()).not.toContain("sk-secret");
  });
});

describe("showing credentials", () => {
  it("redacts so that nothing usable is left", () => {
    expect(redact("short")).toBe("…");
    expect(redact("sk-ant-0123456789abcdef")).toBe("sk-ant…ef");
  });

  it("quotes for the shell", () => {
    const credential = { agent: "a", provider: "p", kind: "api-key", source: "s", variable: "V" } as const;
    expect(exportLines([{ ...credential, value: "it's $HOME" }])).toEqual([`export V='it'\\''s $HOME'`]);
  });
});
