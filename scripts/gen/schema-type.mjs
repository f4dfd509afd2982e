/** A JSON schema as a TypeScript type on one line, for people: `string`, `SessionInfo[]`, `"once" | "always"`. */
export function typeOf(schema, depth = 0) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((choice) => typeOf(choice, depth + 1)));
  if (Array.isArray(schema.type)) return union(schema.type);
  if (schema.type === "array") return listOf(typeOf(schema.items ?? {}, depth + 1));
  if (schema.type === "object") return objectType(schema, depth);
  if (schema.format === "binary") return "bytes";
  return schema.type ?? "any";
}

/** That a field may be null is the same as that it may be left out. */
function union(types) {
  return [...new Set(types.filter((type) => type !== "null"))].join(" | ");
}

const listOf = (type) => (type.includes(" | ") ? `(${type})[]` : `${type}[]`);

function objectType({ properties, additionalProperties, required = [] }, depth) {
  if (properties === undefined) return `{ [name]: ${typeOf(additionalProperties || {}, depth + 1)} }`;
  if (depth > 1) return "object";
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(field, depth + 1)}`,
  );
  return `{ ${fields.join(", ")} }`;
}
