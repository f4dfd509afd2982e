import { readFileSync } from "node:fs";
import { Fragment, createElement as h } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const style = readFileSync(new URL("style.css", import.meta.url), "utf8");
/** A page that is being written is shown anew; a section that the address names is opened. */
const script = `
const open = () => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("details")?.setAttribute("open", "");
addEventListener("hashchange", open);
open();
if (location.protocol !== "file:") new EventSource("/changes").onmessage = () => location.reload();
`;

/** A page as a whole HTML document; `content` is what React makes of its text. */
export function layoutOf({ page, site, content }) {
  const nav = site.groups.map(({ group, pages }) =>
    h(
      "section",
      { key: group },
      h("h2", null, group),
      h(
        "ul",
        null,
        pages.map((other) => link(other, page)),
      ),
    ),
  );
  const body = renderToStaticMarkup(
    h(
      Fragment,
      null,
      h("header", null, h("a", { href: "/" }, site.name)),
      h("div", { className: "columns" }, h("nav", { "aria-label": "Pages" }, nav), main(page, content)),
    ),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${page.title} – ${site.name}</title><link rel="icon" href="data:,">
<style>:root{--accent:${site.color}}${style}</style></head><body>${body}<script>${script}</script></body></html>`;
}

function link({ slug, path, title }, current) {
  return h(
    "li",
    { key: slug },
    h("a", { href: path, "aria-current": slug === current.slug ? "page" : undefined }, title),
  );
}

function main({ title, description }, content) {
  return h("main", null, h("h1", null, title), h("p", { className: "lead" }, description), content);
}
