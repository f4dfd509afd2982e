import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./root.mjs";

const header = `---
title: "Changelog"
description: "What changed in each release."
icon: "clock-rotate-left"
---

{/* Made by \`npm run gen\` from CHANGELOG.md. Do not edit. */}
`;

/** The changelog as a page of the documentation. */
export async function outputs() {
  const text = await readFile(join(root, "CHANGELOG.md"), "utf8");
  return [{ path: "docs/changelog.mdx", text: `${header}${text.replace(/^# .*\n/, "")}` }];
}
