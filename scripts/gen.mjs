#!/usr/bin/env node
/**
 * Write every generated file, or with `--check` only say which ones are stale. Each module in `gen/` that is listed here
 * exports `outputs()`, the files it makes with their text.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as agentCompatibility from "./gen/agent-compatibility.mjs";
import * as agentRegistry from "./gen/agent-registry.mjs";
import * as apiReference from "./gen/api-reference.mjs";
import * as changelog from "./gen/changelog.mjs";
import * as credentials from "./gen/credentials.mjs";
import * as featureChecklist from "./gen/feature-checklist.mjs";
import * as images from "./gen/images.mjs";
import * as openapi from "./gen/openapi.mjs";
import * as packageManifests from "./gen/package-manifests.mjs";
import * as profileTable from "./gen/profile-table.mjs";
import * as providerRegistry from "./gen/provider-registry.mjs";
import * as providerTable from "./gen/provider-table.mjs";
import { root } from "./gen/root.mjs";
import * as runtimeConfig from "./gen/runtime-config.mjs";
import * as runtimeOpenApi from "./gen/runtime-openapi.mjs";
import * as sdkTypes from "./gen/sdk-types.mjs";
import * as transcripts from "./gen/transcripts.mjs";
import * as vendorTypes from "./gen/vendor-types.mjs";

const steps = [
  agentCompatibility,
  agentRegistry,
  apiReference,
  changelog,
  credentials,
  featureChecklist,
  images,
  openapi,
  packageManifests,
  profileTable,
  providerRegistry,
  providerTable,
  runtimeConfig,
  runtimeOpenApi,
  sdkTypes,
  transcripts,
  vendorTypes,
];

/** The generated files whose text on disk is not what they would be now. */
export async function staleOutputs() {
  const outputs = (await Promise.all(steps.map((step) => step.outputs()))).flat();
  const onDisk = await Promise.all(
    outputs.map(({ path }) => readFile(join(root, path), "utf8").catch(() => undefined)),
  );
  return outputs.filter(({ text }, index) => text !== onDisk[index]);
}

async function write({ path, text }) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  console.log(`wrote ${path}`);
}

async function main() {
  const stale = await staleOutputs();
  if (!process.argv.includes("--check")) {
    for (const output of stale) await write(output);
    return;
  }
  for (const { path } of stale) console.error(`stale: ${path}. Run \`npm run gen\` and commit it.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
