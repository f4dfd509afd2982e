import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { common, createLowlight } from "lowlight";
import { Children, createElement as h, isValidElement } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { anchorOf } from "./site.mjs";

const lowlight = createLowlight(common);

/** What pages may use of Mintlify's components, in plain HTML that works without a script. */
export const components = {
  h2: heading("h2"),
  h3: heading("h3"),
  h4: heading("h4"),
  pre: CodeBlock,
  table: (props) => h("div", { className: "table" }, h("table", props)),
  AccordionGroup: ({ children }) => h("div", { className: "accordions" }, children),
  Accordion: ({ title, children }) =>
    h(
      "details",
      { id: anchorOf(title), className: "accordion" },
      h("summary", null, title),
      h("div", { className: "inside" }, children),
    ),
  CodeGroup: ({ children }) => h("div", { className: "code-group" }, tabsOf(children)),
  Steps: ({ children }) => h("ol", { className: "steps" }, children),
  Step: ({ title, children }) => h("li", null, h("h3", { id: anchorOf(title) }, title), children),
  CardGroup: ({ children }) => h("div", { className: "cards" }, children),
  Card: ({ title, href, children }) => h("a", { className: "card", href }, h("strong", null, title), children),
  Note: callout("note"),
  Tip: callout("tip"),
  Warning: callout("warning"),
};

function heading(level) {
  return function Heading({ children }) {
    const id = anchorOf(textOf(children));
    return h(level, { id }, h("a", { href: `#${id}` }, children));
  };
}

function callout(kind) {
  return ({ children }) => h("aside", { className: kind, role: "note" }, children);
}

/** Its first word after the language is what the tab of a group is called. */
function CodeBlock({ children }) {
  const { className = "", children: code, title } = isValidElement(children) ? children.props : { children };
  const language = /language-(\S+)/.exec(className)?.[1];
  const text = textOf(code).replace(/\n$/, "");
  const colored = language && lowlight.registered(language) ? lowlight.highlight(language, text) : undefined;
  const content = colored ? toJsxRuntime(colored, { Fragment, jsx, jsxs }) : text;
  return h(
    "figure",
    { className: "code" },
    title ? h("figcaption", null, title) : null,
    h("pre", { tabIndex: 0 }, h("code", { "data-language": language }, content)),
  );
}

/** Blocks beside each other, one shown at a time: radio buttons, so that no script is needed. */
function tabsOf(children) {
  const blocks = Children.toArray(children).filter((child) => isValidElement(child));
  const name = `tabs-${anchorOf(blocks.map(textOf).join("")).slice(0, 80)}`;
  return blocks.flatMap((block, index) => {
    const id = `${name}-${index}`;
    const title = block.props.children?.props?.title ?? `Tab ${index + 1}`;
    return [
      h("input", { key: `input-${id}`, type: "radio", name, id, defaultChecked: index === 0 }),
      h("label", { key: `label-${id}`, htmlFor: id }, title),
      h("div", { key: id, className: "tab" }, block),
    ];
  });
}

function textOf(node) {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  return isValidElement(node) ? textOf(node.props.children) : "";
}
