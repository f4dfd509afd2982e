/** Every name of a field in a schema. */
function promisedFields({ "x-kinds": kinds, $defs: defs }) {
  const names = new Set();
  const visit = (schema) => {
    if (typeof schema !== "object" || schema === null) return;
    if (!Array.isArray(schema) && typeof schema.properties === "object") {
      for (const name of Object.keys(schema.properties)) names.add(name);
    }
    for (const inner of Object.values(schema)) visit(inner);
  };
  visit([kinds, defs]);
  return names;
}

/** The watch list: fields that we read and that no schema promises, so that they can go without any schema saying so. */
export function unpromisedFields({ sources }, artifact) {
  const promised = promisedFields(artifact);
  return [...sources.fields].filter((name) => !promised.has(name)).sort();
}
