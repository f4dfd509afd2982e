import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchProgram } from "../platform-package.mjs";
import { runIsolated } from "../run-isolated.mjs";
import { propertySchemas, refTo, tidy, wordsOf } from "../schema-shape.mjs";

const args = ["app-server", "generate-json-schema", "--experimental", "--out"];

/** The program describes itself. Without `--experimental` it leaves out fields that our client gets. */
export async function extract({ program, version, words }) {
  const { path, ...source } = await fetchProgram(program, version);
  const read = ({ out }) => readSchemas(out, words);
  const found = await runIsolated(path, (out) => [...args, out], { use: read });
  return { ...found, source: { ...source, command: `codex ${args.slice(0, -1).join(" ")}` } };
}

/** What the server tells and asks, and its answers to what we ask (the methods our source names). */
function readSchemas(out, words) {
  const defs = {};
  const read = (file) => {
    const { definitions = {}, ...schema } = JSON.parse(readFileSync(join(out, file), "utf8"));
    const own = (ref) => refTo(ref.slice("#/definitions/".length)).$ref;
    for (const [name, inner] of Object.entries(definitions)) defs[name] ??= tidy(inner, own);
    return tidy(schema, own);
  };
  const methodsOf = (file) => read(file).anyOf.map((variant) => [methodOf(variant), variant]);
  const kinds = {};
  for (const file of ["ServerNotification.json", "ServerRequest.json"]) {
    for (const [method, variant] of methodsOf(file)) kinds[method] = propertySchemas(variant, "params", {})[0] ?? {};
  }
  for (const [method] of methodsOf("ClientRequest.json").filter(([name]) => words.has(name))) {
    const file = ["v2", "v1", "."]
      .map((folder) => join(folder, responseFile(method)))
      .find((each) => existsSync(join(out, each)));
    if (file !== undefined) kinds[`reply ${method}`] = read(file);
  }
  return { kinds, defs };
}

const methodOf = (variant) => wordsOf(variant.properties.method, {})[0];
const responseFile = (method) =>
  `${method.replaceAll(/(?:^|\/)(\w)/g, (_match, letter) => letter.toUpperCase())}Response.json`;
