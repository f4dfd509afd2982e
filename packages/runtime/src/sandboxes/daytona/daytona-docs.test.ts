/** Feared: a page that leaves out a setting, or shows one that is refused. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { daytonaSettings, readDaytonaSettings } from "./daytona-settings.ts";

const page = readFileSync(new URL("../../../../../docs/daytona.mdx", import.meta.url), "utf8");

test("the page has every setting", () => {
  const [, table = ""] = /## Settings\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const names = Array.from(table.matchAll(/^\| `(\w+)` /gm), ([, name]) => name);
  expect(names).toEqual(Object.keys(daytonaSettings));
});

test("what it shows as a configuration can be read", () => {
  const [, json = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const { provider, providerSettings } = JSON.parse(json);
  expect(provider).toBe("daytona");
  expect(Object.keys(daytonaSettings)).toEqual(expect.arrayContaining(Object.keys(providerSettings)));
  expect(readDaytonaSettings({ apiKey: "k", ...providerSettings }, {})).toMatchObject(providerSettings);
});
