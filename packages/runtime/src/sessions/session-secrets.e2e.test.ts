/** Feared: keys that users give their sessions, readable for whoever has the database file. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";
import { SecretBox } from "../access/secret-box.ts";
import { openSqliteStore } from "../store/sqlite/open-sqlite-store.ts";
import { settingsOf, withSecrets } from "./session-settings.ts";

const long = 180_000;

test(
  "what a session is given in secret is not in the database, and its agent has it all the same",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "runtime-secrets-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const store = await openSqliteStore(join(directory, "runtime.db"));
    const { client, provider } = await startTestRuntime({ store });
    const secrets = [
      "secret-in-env",
      "secret-in-server-env",
      "secret-in-header",
      "secret-in-url",
      "secret-in-skill",
      "secret-in-args",
    ];
    const [inEnv, inServer, inHeader, inUrl, inSkill, inArgs] = secrets as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    await client.createSession("s", {
      agent: "mock",
      env: { GITHUB_TOKEN: inEnv },
      mcp: {
        near: { type: "local", command: ["true", "--token", inArgs], env: { TOKEN: inServer } },
        far: { type: "remote", url: `https://user:${inUrl}@mcp.invalid/`, headers: { authorization: inHeader } },
      },
      skills: { sources: [{ type: "git", source: `https://user:${inSkill}@git.invalid/skills.git` }] },
    });
    const info = await client.getSession("s");
    expect(info.mcp).toMatchObject({ far: { url: "https://mcp.invalid/" }, near: { command: "true" } });
    const kept = readdirSync(directory).map((name) => readFileSync(join(directory, name), "latin1"));
    expect(kept.join("")).toContain("mcp.invalid");
    for (const secret of secrets) expect(kept.join("")).not.toContain(secret);

    await client.createSession("t", { agent: "mock", env: { GITHUB_TOKEN: inEnv } });
    await client.postMessage("t", { message: "echo hello" });
    const events = await turnsOf(client, "t", 1);
    expect(events.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    const sandbox = (await store.sandboxOf("t"))!;
    const inside = (await provider.attach(sandbox.providerId))!.paths.data;
    expect(readFileSync(join(inside, "sessions", sessionFolder(inside), "session.json"), "utf8")).toContain(inEnv);
  },
  long,
);

function sessionFolder(data: string): string {
  return readdirSync(join(data, "sessions"))[0]!;
}

test("settings that were stored before secrets were sealed are read as they are", () => {
  const box = new SecretBox("key");
  const old = { agent: "mock", env: { TOKEN: "t" }, createdWith: "k" };
  expect(withSecrets(old, box)).toEqual(old);
  const { createdWith, ...request } = old;
  expect(withSecrets(settingsOf(request, createdWith, box), box)).toEqual(old);
  expect(JSON.stringify(settingsOf(request, createdWith, box))).not.toContain("TOKEN");
});
