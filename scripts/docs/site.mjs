import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { inRoot } from "../root.mjs";

export const docsDirectory = inRoot("docs");

/** The documentation as Mintlify would have it: the pages that `docs.json` names, in its groups and order. */
export function readSite() {
  const { name, description, colors, navigation } = JSON.parse(readFileSync(join(docsDirectory, "docs.json"), "utf8"));
  const groups = navigation.groups.map(({ group, pages }) => ({ group, pages: pages.map(readPage) }));
  return { name, description, color: colors.primary, groups, pages: groups.flatMap(({ pages }) => pages) };
}

/** All pages that are there, whether they are named or not. */
export function pagesOnDisk() {
  return readdirSync(docsDirectory, { recursive: true })
    .filter((file) => file.endsWith(".mdx"))
    .map((file) => file.replaceAll("\\", "/").replace(/\.mdx$/, ""))
    .sort();
}

export function readPage(slug) {
  const text = readFileSync(join(docsDirectory, `${slug}.mdx`), "utf8");
  const [, front = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const { title, description = "" } = parse(front) ?? {};
  if (typeof title !== "string") throw new Error(`docs/${slug}.mdx has no title in its front matter.`);
  return { slug, path: pathOf(slug), title, description, text };
}

/** Where a page is on the site. */
function pathOf(slug) {
  return slug === "index" ? "/" : `/${slug}`;
}

/** The anchor of a heading, as GitHub and Mintlify make it. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .trim()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
