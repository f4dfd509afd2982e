/** Feared: a page that does not render, that nobody finds, or that leads to a place that is not there. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { inRoot } from "../root.mjs";
import { type Page, renderPage } from "./render-page.mjs";
import { anchorOf, docsDirectory, pagesOnDisk, readPage, readSite } from "./site.mjs";

const site = readSite();
const pages: readonly Page[] = site.pages;
const html = new Map(await Promise.all(pages.map(async (page) => [page.path, await renderPage(page, site)] as const)));

test("the navigation names each page once, and no other", () => {
  expect(pages.map(({ slug }) => slug).sort()).toEqual(pagesOnDisk());
});

test.each(pages.map((page) => page.slug))("%s says what it is about", (slug) => {
  const { title, description } = readPage(slug);
  expect([title.length > 2, description.length > 10]).toEqual([true, true]);
});

test.each(pages.map(({ path }) => path))("%s leads only to what is there", (path) => {
  const broken = linksOf(html.get(path)!).filter((href) => !isThere(href, path));
  expect(broken).toEqual([]);
});

test.each(pages.map(({ slug }) => slug))(
  "%s shows only images that are there, with words for who does not see them",
  (slug) => {
    const images = [...html.get(pages.find((page) => page.slug === slug)!.path)!.matchAll(/<img [^>]*>/g)].map(String);
    for (const image of images) {
      expect(image).toMatch(/alt="[^"]{10,}"/);
      const [, src = ""] = /src="([^"]+)"/.exec(image) ?? [];
      expect(existsSync(join(docsDirectory, src))).toBe(true);
    }
  },
);

test("a page that is no MDX is told with its place", async () => {
  const page = { slug: "broken", path: "/broken", title: "Broken", description: "", text: "# A\n\n<Accordion>\n" };
  await expect(renderPage(page, site)).rejects.toThrow(/docs\/broken\.mdx:.*Accordion/);
});

test("a component that nobody knows is told", async () => {
  const page = {
    slug: "broken",
    path: "/broken",
    title: "Broken",
    description: "",
    text: "<Accordeon>x</Accordeon>\n",
  };
  await expect(renderPage(page, site)).rejects.toThrow(/Accordeon/);
});

test("links of the documents in the repository lead to what is there", () => {
  const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CLAUDE.md", "SECURITY.md"];
  const broken = documents.flatMap((document) => {
    const text = readFileSync(inRoot(document), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
    const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, href = ""]) => href);
    return links.filter((href) => !isFile(href, document)).map((href) => `${document}: ${href}`);
  });
  expect(broken).toEqual([]);
});

function linksOf(document: string): string[] {
  const main = document.slice(document.indexOf("<main>"));
  return Array.from(main.matchAll(/ href="([^"]+)"/g), ([, href = ""]) => href.replaceAll("&amp;", "&"));
}

/** Where this clone has no file for it, the address is another site's and not looked at. */
function isThere(href: string, from: string): boolean {
  const repository = /^https:\/\/github\.com\/sandbox-agent-ts\/sandbox-agent\/(?:blob|tree)\/main\/([^#]*)/.exec(href);
  if (repository) return existsSync(inRoot(repository[1]!));
  if (/^[a-z]+:/.test(href)) return true;
  const { pathname, hash } = new URL(href, `http://docs${from}`);
  const target = html.get(pathname.replace(/(.)\/$/, "$1"));
  if (target === undefined) return existsSync(join(docsDirectory, pathname)) && pathname !== "/";
  return hash === "" || target.includes(` id="${anchorOf(decodeURIComponent(hash.slice(1)))}"`);
}

function isFile(href: string, document: string): boolean {
  if (/^[a-z]+:/.test(href)) return true;
  const [path = "", hash] = href.split("#");
  const file = path === "" ? document : join(dirname(document), path);
  if (!existsSync(inRoot(file))) return false;
  if (hash === undefined || !/\.mdx?$/.test(file)) return true;
  const headings = readFileSync(inRoot(file), "utf8").matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading = ""]) => anchorOf(heading.replaceAll("`", ""))).includes(hash);
}
