import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { apiExamples } from "./api-examples.mjs";
import { code, table } from "./markdown.mjs";
import { openApiDocument } from "./openapi.mjs";
import { root } from "./root.mjs";
import { typeOf } from "./schema-type.mjs";

const page = "docs/http-api.mdx";
const marker = "{/* Below: made by `npm run gen` from the route table. */}";
const baseUrl = "http://127.0.0.1:2468";

/**
 * What the page about the HTTP API says of each operation behind the words that people wrote: parameters, body, answer, errors
 * and an example, between the marker and the end of its section.
 */
export async function outputs() {
  const text = await readFile(join(root, page), "utf8");
  return [{ path: page, text: withReference(text, await openApiDocument()) }];
}

export function withReference(text, document) {
  return text.replaceAll(
    /<Accordion title="(\S+) (\S+)">\n([\s\S]*?)<\/Accordion>/g,
    (section, method, path, inside) => {
      const operation = document.paths[path]?.[method.toLowerCase()];
      if (operation === undefined) return section;
      const words = inside.split(marker)[0].trimEnd();
      const reference = referenceOf({ method, path, operation, schemas: document.components.schemas });
      return `<Accordion title="${method} ${path}">\n${words}\n\n${marker}\n\n${reference}\n</Accordion>`;
    },
  );
}

function referenceOf(route) {
  const parts = [parametersOf(route), bodyOf(route), answerOf(route), errorsOf(route), exampleOf(route)];
  return parts.filter((part) => part !== "").join("\n");
}

function parametersOf({ operation: { parameters = [] } }) {
  const rows = parameters.map(({ name, in: place, required, schema, description }) => [
    `${code(name)}${required ? " (required)" : ""}`,
    place,
    cellType(schema),
    inCell(description),
  ]);
  return rows.length > 0 ? table(["Parameter", "In", "Type", ""], rows) : "";
}

function bodyOf({ operation: { requestBody }, schemas }) {
  if (requestBody === undefined) return "";
  const [[type, { schema }]] = Object.entries(requestBody.content);
  const title = `**Body**${requestBody.required ? "" : " (optional)"}: ${code(type)}\n`;
  return `${title}${fieldTable(schema, schemas, (name, isRequired) => `${code(name)}${isRequired ? " (required)" : ""}`)}`;
}

function answerOf({ operation: { responses }, schemas }) {
  const [[status, { content = {} }]] = Object.entries(responses);
  const types = Object.keys(content);
  const shape = content["application/json"]?.schema;
  const named = Object.values(content)[0]?.schema;
  const what = named?.$ref || named?.items?.$ref ? `, ${cellType(named)}` : "";
  const title = `**Answer**: ${[status, ...types].map(code).join(" ")}${what}\n`;
  return `${title}${shape ? fieldTable(shape, schemas, (name, isAlways) => code(isAlways ? name : `${name}?`)) : ""}`;
}

/** Those that every route may answer with are said once, in the page's table of errors. */
const common = ["token_invalid", "permission_denied", "not_found", "method_not_allowed", "unsupported_media_type"];

function errorsOf({ operation: { responses } }) {
  const codes = Object.values(responses).flatMap(({ description }) =>
    Array.from(description.matchAll(/`([a-z_]+)` \(/g), ([, name]) => name),
  );
  const own = codes.filter((name) => !common.includes(name));
  return own.length > 0 ? `**Errors**: ${own.map(code).join(", ")}\n` : "";
}

function exampleOf({ method, path, operation }) {
  const example = apiExamples[operation.operationId];
  if (example === undefined)
    throw new Error(`${operation.operationId} has no example in scripts/gen/api-examples.mjs.`);
  const sdk = `\`\`\`ts SDK\n${example.sdk}\n\`\`\``;
  return `<CodeGroup>\n\`\`\`bash curl\n${curlOf({ method, path, operation, example })}\n\`\`\`\n${sdk}\n</CodeGroup>`;
}

function curlOf({ method, path, operation, example }) {
  const { params = {}, query = {}, body, upload, output, stream } = example;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name]);
  const search = new URLSearchParams(query).toString().replaceAll("%2F", "/").replaceAll("%2C", ",");
  const isOpen = operation.security?.length === 0 && example.query === undefined;
  const words = [
    stream || operation.operationId.endsWith("Stream") ? "curl -N" : "curl",
    method === "GET" || (method === "POST" && (body || upload)) ? "" : `-X ${method}`,
    isOpen ? "" : '-H "Authorization: Bearer $SANDBOX_AGENT_TOKEN"',
    body ? `-H 'content-type: application/json' -d '${JSON.stringify(body)}'` : "",
    upload ? `-H 'content-type: ${Object.keys(operation.requestBody.content)[0]}' --data-binary @${upload}` : "",
    output ? `-o ${output}` : "",
    `'${baseUrl}${filled}${search && `?${search}`}'`,
  ];
  return lines(words.filter((word) => word !== ""));
}

/** One line where it fits. */
function lines(words) {
  const line = words.join(" ");
  if (line.length <= 110) return line;
  return `${words.slice(0, -1).join(" ")} \\\n  ${words.at(-1)}`;
}

function fieldTable(schema, schemas, nameOf) {
  const { properties, required = [] } = fieldsOf(schema, schemas);
  const rows = Object.entries(properties ?? {}).map(([name, field]) => [
    nameOf(name, required.includes(name)),
    cellType(field),
    inCell(field.description ?? (field.$ref ? schemas[field.$ref.split("/").at(-1)]?.description : undefined)),
  ]);
  return rows.length > 0 ? `\n${table(["Field", "Type", ""], rows)}` : "";
}

/** The fields of an object, or of each in a list. */
function fieldsOf(schema, schemas) {
  if (schema.$ref) return fieldsOf(schemas[schema.$ref.split("/").at(-1)], schemas);
  if (schema.type === "array") return fieldsOf(schema.items, schemas);
  return schema;
}

const cellType = (schema) => code(typeOf(schema).replaceAll("|", String.raw`\|`));

function inCell(description = "") {
  return description.replaceAll("|", String.raw`\|`).replaceAll(/[<{](?=[^`]*(?:`[^`]*`[^`]*)*$)/g, String.raw`\$&`);
}
