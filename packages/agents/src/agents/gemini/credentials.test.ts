import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { availableAuth } from "./credentials.ts";

async function homeWith(files: Record<string, string>): Promise<{ HOME: string }> {
  const HOME = await mkdtemp(join(tmpdir(), "gemini-credentials-"));
  onTestFinished(() => rm(HOME, { recursive: true }));
  await mkdir(join(HOME, ".gemini"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(HOME, ".gemini", name), text);
  return { HOME };
}

test("without anything there are none", async () => {
  expect(await availableAuth(await homeWith({}))).toBeUndefined();
});

test("a key, a project, a gateway and a login are told apart", async () => {
  const empty = await homeWith({});
  expect(await availableAuth({ ...empty, GEMINI_API_KEY: "k" })).toBe("gemini-api-key");
  expect(await availableAuth({ ...empty, GOOGLE_GENAI_USE_VERTEXAI: "true" })).toBe("vertex-ai");
  expect(await availableAuth({ ...empty, GOOGLE_API_KEY: "k" })).toBe("vertex-ai");
  expect(await availableAuth({ ...empty, GEMINI_CLI_USE_COMPUTE_ADC: "true" })).toBe("compute-default-credentials");
  expect(await availableAuth({ ...empty, GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:1" })).toBe("gateway");
  expect(await availableAuth(await homeWith({ "oauth_creds.json": '{"refresh_token":"r"}' }))).toBe("oauth-personal");
});

test("a key may stand in the user's .env, and the environment comes first", async () => {
  const env = await homeWith({
    ".env": '# mine\nexport GEMINI_API_KEY="from the file"\n',
    "oauth_creds.json": '{"refresh_token":"r"}',
  });
  expect(await availableAuth(env)).toBe("gemini-api-key");
  expect(await availableAuth({ ...env, GEMINI_API_KEY: "" })).toBe("oauth-personal");
});
