import openapiTypeScript, { astToString } from "openapi-typescript";
import { openApiDocument } from "./openapi.mjs";

const header = "// Made by `npm run gen` from docs/openapi.json. Do not edit.\n\n";

/** What an editor shows about the exported types, most of which openapi-typescript leaves bare. */
const docs = {
  paths: "The operations of the HTTP API by path and method.",
  components: "The schemas of the HTTP API by name.",
  operations: "The operations of the HTTP API by `operationId`.",
};

/** The types of the HTTP API that the SDK is written against. */
export async function outputs() {
  const types = astToString(await openapiTypeScript(await openApiDocument()));
  return [{ path: "packages/sdk/src/openapi.gen.ts", text: header + documented(types) }];
}

function documented(types) {
  return Object.entries(docs).reduce(
    (text, [name, line]) => text.replace(`export interface ${name} {`, `/** ${line} */\n$&`),
    types,
  );
}
