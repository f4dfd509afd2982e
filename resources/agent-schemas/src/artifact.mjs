import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { reachable } from "./schema-shape.mjs";

/** One line for each kind and definition: small, and a change of one is a change of one line. */
const aLinePerEntry = (entries) =>
  `{\n${Object.entries(entries)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(",\n")}\n  }`;

/**
 * What an agent sends us: a schema for each kind of message (`x-kinds`), with only the definitions they need, and where it
 * is from.
 */
export function makeArtifact({ name, source, kinds, defs }) {
  const sorted = Object.fromEntries(Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `What ${name} sends`,
    "x-source": source,
    "x-kinds": sorted,
    $defs: reachable(sorted, defs),
  };
}

const artifactFile = (name) => fileURLToPath(new URL(`../artifacts/json-schema/${name}.json`, import.meta.url));

export const readArtifact = (name) => JSON.parse(readFileSync(artifactFile(name), "utf8"));

function artifactText(artifact) {
  const fields = Object.entries(artifact).map(([name, value]) => {
    const text = name === "x-kinds" || name === "$defs" ? aLinePerEntry(value) : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${fields.join(",\n")}\n}\n`;
}

export function writeArtifact(name, artifact) {
  mkdirSync(dirname(artifactFile(name)), { recursive: true });
  writeFileSync(artifactFile(name), artifactText(artifact));
}
