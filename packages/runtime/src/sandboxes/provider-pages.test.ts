/** Feared: a provider's page that leaves out a setting, shows one that there is not, or explains what is never said. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { builtInProviders, loadProvider } from "./registry.ts";

const docs = new URL("../../../../docs/", import.meta.url);
const pages = builtInProviders.filter(
  (name) => existsSync(new URL(`${name}.mdx`, docs)) && sectionOf(name, "Settings"),
);

function sectionOf(name: string, title: string): string {
  const page = readFileSync(new URL(`${name}.mdx`, docs), "utf8");
  return new RegExp(`\n## ${title}\n([\\s\\S]*?)(?=\n## |$(?![\\s\\S]))`).exec(page)?.[1] ?? "";
}

/** Other pages explain sentences of the service, too, which are not ours to hold. */
const ownSentences = ["daytona", "e2b", "vercel"];
const fewWords = 3;

test("there are pages to look at", () => {
  expect(pages.length).toBeGreaterThan(2);
});

test.each(pages)("the page of %s has every setting, in order", async (name) => {
  const [, table = ""] = /\n(\| setting [\s\S]*?)\n\n/.exec(sectionOf(name, "Settings")) ?? [];
  const names = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, setting]) => setting);
  expect(names).toEqual(Object.keys((await loadProvider(name)).settings));
});

test.each(pages)("the page of %s shows a configuration for it", async (name) => {
  const [, json = "{}"] = /```json\n([\s\S]*?)```/.exec(sectionOf(name, "Settings")) ?? [];
  const { provider, providerSettings } = JSON.parse(json) as { provider: string; providerSettings: object };
  expect(provider).toBe(name);
  const { settings } = await loadProvider(name);
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(Object.keys(providerSettings)));
});

test.each(ownSentences)("the page of %s explains what is said", (name) => {
  const rows = Array.from(sectionOf(name, "When it does not work").matchAll(/^\| (`.*?) \|/gm), ([, cell]) => cell!);
  const parts = rows.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, text]) => text!.split("…")).flat());
  expect(rows.length).toBeGreaterThan(2);
  const said = saidBy(name);
  // A few words may be the service's own.
  const ours = parts.map((part) => part.trim()).filter((part) => part.split(" ").length > fewWords);
  expect(ours.filter((part) => !said.includes(part))).toEqual([]);
});

/** The text of its folder and of what providers share, with its own names in the sentences. */
function saidBy(name: string): string {
  const text = [name, "hosted"].flatMap((folder) => {
    const place = new URL(`${folder}/`, import.meta.url);
    const files = readdirSync(place).filter((file) => file.endsWith(".ts") && !file.includes(".test."));
    return files.map((file) => readFileSync(new URL(file, place), "utf8"));
  });
  const [, sdk = ""] = /importSdk\(\s*"([^"]+)"/.exec(text.join("\n")) ?? [];
  return text
    .join("\n")
    .replaceAll(/\$\{name\}/g, sdk)
    .replaceAll(/\$\{this\.#provider\}/g, name);
}
