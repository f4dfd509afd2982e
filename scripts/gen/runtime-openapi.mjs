import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { importSource } from "./import-source.mjs";
import { root } from "./root.mjs";

/** The OpenAPI document of what only a runtime serves. */
export async function outputs() {
  const { buildRuntimeOpenApi } = await importSource("packages/protocol/src/runtime-api/runtime-openapi.ts");
  const { version } = JSON.parse(await readFile(join(root, "packages/protocol/package.json"), "utf8"));
  return [
    { path: "docs/runtime-openapi.json", text: `${JSON.stringify(buildRuntimeOpenApi({ version }), null, 2)}\n` },
  ];
}
