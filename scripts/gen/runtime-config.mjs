import { importSource } from "./import-source.mjs";

/** The JSON Schema of the file that `sandbox-agent runtime --config` takes. */
export async function outputs() {
  const { runtimeConfigSchema } = await importSource("packages/cli/src/runtime/runtime-config.ts");
  return [{ path: "docs/runtime-config.schema.json", text: `${JSON.stringify(runtimeConfigSchema(), null, 2)}\n` }];
}
