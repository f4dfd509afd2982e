/** Feared: a page that leaves out a setting, shows one that is refused, or quotes what is never said. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readVercelSettings, vercelSettings } from "./vercel-settings.ts";

const page = readFileSync(new URL("../../../../../docs/vercel.mdx", import.meta.url), "utf8");

test("the page has every setting", () => {
  const [, table = ""] = /## Settings\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const names = Array.from(table.matchAll(/^\| `(\w+)` /gm), ([, name]) => name);
  expect(names).toEqual(Object.keys(vercelSettings));
});

test("what it shows as a configuration can be read", () => {
  const [, json = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const { provider, providerSettings } = JSON.parse(json);
  expect(provider).toBe("vercel");
  expect(Object.keys(vercelSettings)).toEqual(expect.arrayContaining(Object.keys(providerSettings)));
  const account = { token: "t", teamId: "team_1", projectId: "prj_1" };
  expect(readVercelSettings({ ...account, ...providerSettings }, {})).toMatchObject(providerSettings);
});

test("what it quotes is said", () => {
  const [, table = ""] = /## When it does not work\n([\s\S]*)/.exec(page) ?? [];
  const quoted = Array.from(table.matchAll(/^\| `([^`]+?) …/gm), ([, text]) => text!);
  expect(quoted.length).toBeGreaterThan(5);
  const code = [".", "../hosted"].flatMap((folder) => {
    const place = new URL(`${folder}/`, import.meta.url);
    const names = readdirSync(place).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    return names.map((name) => readFileSync(new URL(name, place), "utf8"));
  });
  const said = code.join("\n").replaceAll(/\$\{name\}/g, "@vercel/sandbox");
  for (const text of quoted) expect(said).toContain(text);
});
