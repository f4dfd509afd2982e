import { evaluate } from "@mdx-js/mdx";
import { createElement } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import { components } from "./components.mjs";
import { layoutOf } from "./layout.mjs";

/** A page of the site as a whole HTML document; rejects with the place of what is no MDX. */
export async function renderPage(page, site) {
  const { slug, text } = page;
  try {
    const { default: Content } = await evaluate(text, {
      Fragment,
      jsx,
      jsxs,
      remarkPlugins: [remarkFrontmatter, remarkGfm, codeTitles],
    });
    return layoutOf({ page, site, content: createElement(Content, { components }) });
  } catch (error) {
    const place = error.line === undefined ? "" : `:${error.line}:${error.column}`;
    throw new Error(`docs/${slug}.mdx${place}: ${error.message}`, { cause: error });
  }
}

/** What stands behind the language of a code block is its title. */
function codeTitles() {
  return (tree) => visit(tree);
  function visit(node) {
    if (node.type === "code" && node.meta) node.data = { ...node.data, hProperties: { title: node.meta } };
    for (const child of node.children ?? []) visit(child);
  }
}
