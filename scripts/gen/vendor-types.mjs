import openapiTypeScript, { astToString } from "openapi-typescript";
import { readSources } from "../../resources/agent-schemas/src/agent-sources.mjs";
import { readArtifact } from "../../resources/agent-schemas/src/artifact.mjs";
import { reachable } from "../../resources/agent-schemas/src/schema-shape.mjs";

/** Agents whose schema is exact. Of the others our own dialect is nearer to the truth than what is published. */
const exact = ["codex", "opencode"];

/** The messages of these agents that our code reads, as types, for the tests of their dialects. */
export async function outputs() {
  return Promise.all(exact.map(typesOf));
}

async function typesOf(id) {
  const folder = `packages/agents/src/agents/${id}`;
  const { words, requests } = readSources([folder]);
  const isRead = (kind) =>
    words.has(kind) || words.has(kind.slice("reply ".length)) || requests.has(kind.slice("reply ".length));
  const { "x-kinds": kinds, $defs: defs } = readArtifact(id);
  const read = Object.fromEntries(Object.entries(kinds).filter(([kind]) => isRead(kind)));
  const text = JSON.stringify({ ...reachable(read, defs), ...read });
  // The maker of types takes what stands beside `anyOf` for one more alternative, and beside `oneOf` for what all have.
  const schemas = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/').replaceAll('"anyOf":', '"oneOf":'));
  const document = { openapi: "3.1.0", info: { title: id, version: "1" }, paths: {}, components: { schemas } };
  const types = astToString(await openapiTypeScript(document));
  const header = `// Made by \`npm run gen\` from resources/agent-schemas/artifacts/json-schema/${id}.json. Do not edit.\n\n`;
  return { path: `${folder}/__fixtures__/vendor-messages.gen.ts`, text: header + types };
}
