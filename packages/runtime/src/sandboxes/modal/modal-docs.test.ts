/** Feared: the page of the documentation says other settings, defaults or sentences than there are. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { modalSettings, readModalSettings } from "./modal-settings.ts";

const read = (place: string) => readFileSync(new URL(place, import.meta.url), "utf8");
const page = read("../../../../../docs/modal.mdx");
const token = { tokenId: "ak-1", tokenSecret: "as-1" };
const rows = (heading: string) => {
  const section = page.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(" | "));
};

test("settings and their defaults are those that there are", () => {
  const settings = rows("Settings").map(([name, , given]) => [name!.replaceAll(/[| `]/g, ""), given!]);
  expect(settings.map(([name]) => name)).toEqual(Object.keys(modalSettings));
  const defaults = { ...readModalSettings(token, {}) } as Readonly<Record<string, unknown>>;
  for (const [name, given] of settings) {
    const value = defaults[name!];
    if (value !== undefined && !(name! in token)) expect(given, name).toContain(String(value));
  }
});

test("its example of a configuration is read as it stands", () => {
  const [, json = ""] = /```json\n(.*)\n```/.exec(page) ?? [];
  const { provider, providerSettings } = JSON.parse(json) as { provider: string; providerSettings: object };
  expect(provider).toBe("modal");
  expect(readModalSettings({ ...token, ...providerSettings }, {})).toMatchObject(providerSettings);
});

test("sentences that it explains are said somewhere", () => {
  const folders = ["./", "../hosted/"];
  const files = folders.flatMap((folder) => readdirSync(new URL(folder, import.meta.url)).map((name) => folder + name));
  const code = files
    .filter((name) => /(?<!test)\.ts$/.test(name))
    .map(read)
    .join("\n");
  const said = code.replaceAll(/\$\{(?:name|this\.#provider)\}/g, "modal");
  for (const [sentence] of rows("When it does not work")) {
    const words = sentence!.replaceAll(/^\| `|…|`/g, "").trim();
    // Of the SDK itself.
    if (words.startsWith("Modal: Image build")) continue;
    expect(said).toContain(words);
  }
});
