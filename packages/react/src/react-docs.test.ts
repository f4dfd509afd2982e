import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as react from "./index.ts";

const page = readFileSync(new URL("../../../docs/react.mdx", import.meta.url), "utf8");

test.each(Object.keys(react))("%s is documented", (name) => {
  expect(page).toMatch(new RegExp(`<Accordion title="<?${name}[( ]`));
});

test("nothing is documented that is not there", () => {
  const documented = [...page.matchAll(/<Accordion title="<?(\w+)/g)].map(([, name]) => name);
  expect(documented.toSorted()).toEqual(Object.keys(react).toSorted());
});
