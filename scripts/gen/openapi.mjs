import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { importSource } from "./import-source.mjs";
import { root } from "./root.mjs";

/** The OpenAPI document, made anew from the route table. */
export async function openApiDocument() {
  const { buildOpenApi } = await importSource("packages/protocol/src/api/openapi.ts");
  const { version } = JSON.parse(await readFile(join(root, "packages/protocol/package.json"), "utf8"));
  return buildOpenApi({ version });
}

export async function outputs() {
  return [{ path: "docs/openapi.json", text: `${JSON.stringify(await openApiDocument(), null, 2)}\n` }];
}
