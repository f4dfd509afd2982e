import openapiTypeScript, { astToString } from "openapi-typescript";
import { openApiDocument } from "./openapi.mjs";

const header = "// Made by `npm run gen` from docs/openapi.json. Do not edit.\n\n";

/** The types of the HTTP API that the SDK is written against. */
export async function outputs() {
  const types = astToString(await openapiTypeScript(await openApiDocument()));
  return [{ path: "packages/sdk/src/openapi.gen.ts", text: header + types }];
}
