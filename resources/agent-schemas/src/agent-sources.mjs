import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { inRoot } from "../../../scripts/root.mjs";

const isSource = (file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file) && !file.includes("__fixtures__");

/** What our code about an agent reads: the fields its dialect names, every word in its sources, its HTTP requests. */
export function readSources(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: true })
      .filter(isSource)
      .map((file) => join(inRoot(folder), file)),
  );
  const found = { fields: new Set(), words: new Set(), requests: new Set() };
  for (const file of files) readFile(file, found);
  return found;
}

function readFile(file, { fields, words, requests }) {
  const isDialect = file.endsWith("/dialect.ts");
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) words.add(node.text);
    if (isDialect && ts.isPropertySignature(node)) fields.add(node.name.text ?? node.name.getText());
    if (ts.isCallExpression(node) && node.expression.name?.text === "request") {
      const [method, path] = node.arguments;
      if (path !== undefined && ts.isStringLiteralLike(method)) requests.add(`${method.text} ${pathText(path)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true));
}

/** A path with a gap for each value in it. */
const pathText = (node) =>
  ts.isStringLiteralLike(node)
    ? node.text
    : node
        .getText()
        .slice(1, -1)
        .replaceAll(/\$\{[^}]*\}/g, "{}");
