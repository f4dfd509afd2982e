import { fetchProgram } from "../platform-package.mjs";
import { runIsolated } from "../run-isolated.mjs";
import { refTo, splitBy, tidy } from "../schema-shape.mjs";

const env = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1", NPM_CONFIG_OFFLINE: "true" };

/** The program prints the description of its own HTTP interface. */
export async function extract({ program, version, requests }) {
  const { path, ...source } = await fetchProgram(program, version);
  const document = await runIsolated(path, () => ["generate"], { env, use: ({ stdout }) => JSON.parse(stdout) });
  return { ...readDocument(document, requests), source: { ...source, command: "opencode generate" } };
}

/** The events, by type, and the answers to what we ask. */
function readDocument({ components, paths }, requests) {
  const own = (ref) => refTo(ref.slice("#/components/schemas/".length)).$ref;
  const defs = Object.fromEntries(Object.entries(components.schemas).map(([name, inner]) => [name, tidy(inner, own)]));
  const kinds = Object.fromEntries(splitBy(defs.GlobalEvent.properties.payload, ["type"], defs));
  // What the server keeps for copies of its database is told twice; the second telling is not read.
  delete kinds.sync;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`;
      const answer = operation.responses?.["200"]?.content?.["application/json"]?.schema;
      if (requests.has(name) && answer !== undefined) kinds[`reply ${name}`] = tidy(answer, own);
    }
  }
  return { kinds, defs };
}
