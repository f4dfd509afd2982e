import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchPackage } from "../fetch-package.mjs";
import { typesToSchema } from "./types-to-schema.mjs";

const packageName = "@sourcegraph/amp-sdk";
/** The last one there is. It is older than the program, and what the program sends beyond it is in the baseline. */
const version = "0.1.0-20260126121723-gc94da34";

/** The types of Amp's SDK. */
export async function extract() {
  const folder = await fetchPackage(packageName, version);
  const text = readFileSync(join(folder, "dist/types.d.ts"), "utf8");
  // Only what one may send to it is described with zod.
  const withoutZod = text.replace(
    /^import .*'zod';$/m,
    "declare namespace z { type infer<T> = any; type ZodLiteral<T> = any }",
  );
  const found = typesToSchema({ text: withoutZod, type: "StreamMessage" });
  return { ...found, source: { package: packageName, version, command: "dist/types.d.ts StreamMessage" } };
}
