/** Feared: a home directory that makes whoever looks into it wait, die or talk. */
import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { madeHome } from "./__fixtures__/made-home.ts";
import { type FoundCredential, findCredentials } from "./find-credentials.ts";

/** Every file that is looked at. */
const places = [
  ".claude.json",
  ".claude/.credentials.json",
  ".claude/settings.json",
  ".codex/auth.json",
  ".codex/config.toml",
  ".config/amp/settings.json",
  ".config/goose/config.yaml",
  ".config/goose/secrets.yaml",
  ".config/opencode/opencode.json",
  ".config/opencode/opencode.jsonc",
  ".copilot/config.json",
  ".gemini/.env",
  ".gemini/gemini-credentials.json",
  ".gemini/google_accounts.json",
  ".gemini/oauth_creds.json",
  ".local/share/amp/secrets.json",
  ".local/share/opencode/auth.json",
  ".qwen/.env",
  ".qwen/oauth_creds.json",
  ".qwen/settings.json",
];
const secret = "sk-secret-0123456789";
const most = 256 * 1024;

async function look(
  make: (path: string) => void,
  run = <Result>(looking: () => Promise<Result>): Promise<Result> => looking(),
): Promise<{ found: FoundCredential[]; warnings: string[] }> {
  const home = madeHome();
  for (const place of places) {
    mkdirSync(dirname(join(home, place)), { recursive: true });
    make(join(home, place));
  }
  const warnings: string[] = [];
  const found = await run(() => findCredentials({ env: { HOME: home }, warn: (sentence) => warnings.push(sentence) }));
  expect(warnings.join()).not.toContain(secret);
  return { found, warnings };
}

const written = (text: string) => (path: string) => writeFileSync(path, text);
/** No more is read than what a credential can have. */
const huge = (path: string) => {
  const descriptor = openSync(path, "w");
  ftruncateSync(descriptor, 4 * 1024 ** 3);
  closeSync(descriptor);
};

describe("a home full of", () => {
  test.each([
    ["named pipes", (path: string) => void execFileSync("mkfifo", [path]), "it is not a file"],
    ["directories", (path: string) => void mkdirSync(path), "it is not a file"],
    ["links to a device that never ends", (path: string) => symlinkSync("/dev/zero", path), "it is not a file"],
    ["files of gigabytes", huge, "it is too large for one"],
    ["links to themselves", (path: string) => symlinkSync(path, path), "it cannot be read (ELOOP)"],
  ])("%s is told of, and holds up nobody", async (_what, make, why) => {
    const { found, warnings } = await look(make);
    expect(found).toEqual([]);
    expect(warnings.filter((sentence) => sentence.includes(why)).length).toBeGreaterThanOrEqual(places.length - 2);
  });

  test.each([
    ["cut JSON", `{"OPENAI_API_KEY": "${secret}"`],
    ["text that is no JSON", `${secret} `.repeat(100)],
    ["quotes that do not end", '"\\'.repeat(most / 2)],
    ["comments that do not end", "/*".repeat(most / 2)],
    ["empty lines", "\n".repeat(most)],
    ["spaces", " ".repeat(most)],
    ["brackets", "[".repeat(most)],
    ["lists", `["${secret}"]`],
    ["null", "null"],
    ["a string", `"${secret}"`],
    ["nothing", ""],
    [
      "numbers for texts",
      '{"primaryApiKey":1,"OPENAI_API_KEY":{},"tokens":[],"claudeAiOauth":{"accessToken":[]},"env":7}',
    ],
    ["prototypes", '{"__proto__":{"primaryApiKey":"x"},"constructor":{"prototype":1}}'],
  ])("%s is empty", async (_what, text) => {
    const { found } = await look(written(text));
    expect(found.filter(({ source }) => !source.includes("encrypted"))).toEqual([]);
  });
});

test("a byte order mark is no obstacle, and a link to a real file is followed", async () => {
  const home = madeHome({ elsewhere: `\uFEFF{"primaryApiKey":"${secret}"}` });
  symlinkSync(join(home, "elsewhere"), join(home, ".claude.json"));
  const [found] = await findCredentials({ env: { HOME: home } });
  expect(found).toMatchObject({ agent: "claude", secret });
});

test("a file that one may not read has its own sentence", async () => {
  const { warnings } = await look(
    (path) => {
      writeFileSync(path, "{}");
      chmodSync(path, 0);
    },
    (looking) => asNobody(looking),
  );
  expect(warnings.length).toBeGreaterThanOrEqual(places.length - 1);
  expect(warnings[0]).toMatch(/: you may not read it\.$/);
});

/** Root may read everything. */
async function asNobody<Result>(act: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
