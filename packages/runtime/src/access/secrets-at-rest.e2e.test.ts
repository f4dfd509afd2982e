/** Feared: whoever gets hold of the database's files, with their write-ahead log, finds a secret in them or can try one. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentProfile } from "@sandbox-agent-ts/protocol";
import { expect, onTestFinished, test } from "vitest";
import { secretKey, startTestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";
import { openSqliteStore } from "../store/sqlite/open-sqlite-store.ts";
import { SecretBox } from "./secret-box.ts";

/** Every place where a profile may have a secret. */
const profileOf = (who: string) => ({
  systemPrompt: `words of ${who}`,
  commands: { lamp: { prompt: "echo lit" } },
  env: { TEAM: `env-of-${who}` },
  secrets: { TOKEN: `secret-of-${who}` },
  mcp: {
    near: {
      type: "local" as const,
      command: "true",
      args: ["--token", `argument-of-${who}`],
      env: { KEY: `server-env-of-${who}` },
    },
    far: {
      type: "remote" as const,
      url: `https://user:password-of-${who}@mcp.invalid/?key=query-of-${who}`,
      headers: { authorization: `Bearer header-of-${who}` },
    },
  },
});

const secretsOf = (who: string) =>
  [
    "words of ",
    "env-of-",
    "secret-of-",
    "argument-of-",
    "server-env-of-",
    "password-of-",
    "query-of-",
    "header-of-",
  ].map((what) => `${what}${who}`);

/** As it is, and in the forms in which it would be as good. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hash = createHash("sha256").update(bytes);
  const base64 = [0, 1, 2].map((skip) => {
    const cut = bytes.subarray(skip);
    return cut.subarray(0, cut.length - (cut.length % 3)).toString("base64");
  });
  return [secret, bytes.toString("hex"), ...base64, hash.copy().digest("hex"), hash.copy().digest("base64")];
}

function bytesIn(directory: string): string {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("\n");
}

test("nothing secret is in the files of the store, neither while it is open nor after", {
  timeout: 180_000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "secrets-at-rest-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const store = await openSqliteStore(join(directory, "runtime.db"));
  const modelKey = "key-of-the-model";
  const running = await startTestRuntime({ store, agentEnv: { MODEL_API_KEY: modelKey }, pool: { size: 1 } });
  const { client, runtime } = running;

  const { key: apiKey } = await runtime.keys.create({ name: "ann", principal: "ann", scope: "write" });
  const profiles: Record<string, AgentProfile> = { keeper: profileOf("keeper"), gone: profileOf("gone") };
  for (const [name, profile] of Object.entries(profiles)) await runtime.profiles.put(name, profile);
  await runtime.profiles.put("keeper", profileOf("keeper, later"));
  await runtime.profiles.delete("gone");
  await client.createSession("named", { agent: "mock", profile: "keeper@1", env: { GITHUB_TOKEN: "env-of-session" } });
  await client.createSession("inline", { agent: "mock", profile: profileOf("session") });
  for (const id of ["named", "inline"]) {
    await client.postMessage(id, { message: "/lamp" });
    expect((await turnsOf(client, id, 1)).at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
  }
  const box = new SecretBox(secretKey);
  const sandboxes = await store.sandboxes();
  expect(sandboxes.length).toBeGreaterThan(1);
  const issued = await fetch(`${running.gateway.url}/api/sessions/named/tokens`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${(await runtime.keys.create({ name: "b", principal: "admin", scope: "admin" })).key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ scope: "read" }),
  });
  const { token: sessionToken } = (await issued.json()) as { token: string };
  expect(sessionToken).toMatch(/^sat_/);

  const secrets = [
    ...["keeper", "keeper, later", "gone", "session"].flatMap(secretsOf),
    "env-of-session",
    modelKey,
    secretKey,
    apiKey,
    sessionToken,
    ...sandboxes.map(({ token }) => box.open(token)),
  ];
  const whole = Object.values(profiles).map((profile) => JSON.stringify(profile));
  const forms = [...secrets, ...whole].flatMap(formsOf);
  // By which keys are found; they are random, so that nobody can try them.
  const known = new Set([createHash("sha256").update(apiKey).digest("hex")]);
  const found = () => {
    const bytes = bytesIn(directory);
    expect(bytes, "what is not secret is there").toContain("keeper@1");
    return forms.filter((form) => !known.has(form) && bytes.includes(form));
  };
  expect(found()).toEqual([]);
  await running.gateway.close();
  await runtime.close();
  await store.close();
  expect(found()).toEqual([]);
});
