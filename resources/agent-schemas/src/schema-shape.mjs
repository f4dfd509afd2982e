/** What a schema says about values. Everything else (descriptions, examples, formats) is left out of what is kept. */
const kept = {
  schema: ["items", "additionalProperties", "propertyNames", "not"],
  list: ["anyOf", "oneOf", "allOf", "prefixItems"],
  map: ["properties", "patternProperties"],
  plain: ["type", "enum", "const", "required", "pattern", "minItems", "maxItems", "minimum", "maximum"],
};

/**
 * The schema as we keep it, in the words of JSON Schema 2020-12. More fields than it names are news and no fault, so that
 * it never forbids them; and of what is told apart by a field one variant fits anyway, so that `oneOf` is `anyOf`.
 */
export function tidy(schema, renameRef = (ref) => ref) {
  if (typeof schema !== "object" || schema === null) return schema;
  const again = (inner) => tidy(inner, renameRef);
  const tidied = {};
  if (schema.$ref !== undefined) tidied.$ref = renameRef(schema.$ref);
  for (const word of kept.plain) if (schema[word] !== undefined) tidied[word] = schema[word];
  for (const word of kept.schema) {
    const inner = word === "items" && Array.isArray(schema.items) ? undefined : schema[word];
    if (inner !== undefined && inner !== false) tidied[word] = again(inner);
  }
  if (Array.isArray(schema.items)) tidied.prefixItems = schema.items.map(again);
  for (const word of kept.list) {
    if (schema[word] !== undefined) tidied[word === "oneOf" ? "anyOf" : word] = schema[word].map(again);
  }
  for (const word of kept.map) {
    if (schema[word] === undefined) continue;
    tidied[word] = Object.fromEntries(Object.entries(schema[word]).map(([name, inner]) => [name, again(inner)]));
  }
  if (schema.nullable === true && typeof tidied.type === "string") tidied.type = [tidied.type, "null"];
  return onlyMember(tidied);
}

/** `{ allOf: [x] }` is x. */
function onlyMember(schema) {
  const { allOf, ...rest } = schema;
  return allOf?.length === 1 && Object.keys(rest).length === 0 ? allOf[0] : schema;
}

const prefix = "#/$defs/";
export const refTo = (name) => ({ $ref: prefix + escaped(name) });
const escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");
export const nameOfRef = (ref) => ref.slice(prefix.length).replaceAll("~1", "/").replaceAll("~0", "~");

/** What a reference stands for. */
export function resolve(schema, defs) {
  let at = schema;
  while (at?.$ref !== undefined) at = defs[nameOfRef(at.$ref)];
  return at;
}

/** The variants of a union, also of unions in it; what stands beside the union belongs to each. */
export function variantsOf(schema, defs) {
  const at = resolve(schema, defs);
  if (at?.anyOf === undefined) return [schema];
  const { anyOf, ...shared } = at;
  const variants = anyOf.flatMap((inner) => variantsOf(inner, defs));
  if (Object.keys(shared).length === 0) return variants;
  return variants.map((variant) => ({ allOf: [variant, shared] }));
}

/** All schemas that hold for a property; none where it is not named. */
export function propertySchemas(schema, name, defs) {
  const at = resolve(schema, defs);
  if (typeof at !== "object" || at === null) return [];
  const own = at.properties !== undefined && Object.hasOwn(at.properties, name) ? [at.properties[name]] : [];
  return [...own, ...(at.allOf ?? []).flatMap((inner) => propertySchemas(inner, name, defs))];
}

/** The words this schema allows and no others; undefined where it allows more than words. */
export function wordsOf(schema, defs) {
  const at = resolve(schema, defs);
  if (at?.const !== undefined) return [at.const];
  if (at?.enum !== undefined) return at.enum;
  if (at?.anyOf === undefined) return undefined;
  const inner = at.anyOf.map((each) => wordsOf(each, defs));
  return inner.includes(undefined) ? undefined : inner.flat();
}

/** `[word, schema]` for each word that the field at `path` may have; undefined where a variant does not say. */
export function splitBy(schema, [name, ...rest], defs) {
  const split = variantsOf(schema, defs).map((variant) => {
    const [field] = propertySchemas(variant, name, defs);
    if (field === undefined) return undefined;
    if (rest.length === 0) return wordsOf(field, defs)?.map((word) => [word, variant]);
    const narrowed = splitBy(field, rest, defs);
    return narrowed?.map(([word, inner]) => [word, { allOf: [variant, { properties: { [name]: inner } }] }]);
  });
  return split.includes(undefined) ? undefined : split.flat();
}

/** What can be reached from the kinds. */
export function reachable(kinds, defs) {
  const found = new Set();
  const visit = (value) => {
    if (typeof value !== "object" || value === null) return;
    if (typeof value.$ref === "string") {
      const name = nameOfRef(value.$ref);
      if (defs[name] === undefined) throw new Error(`The schema refers to ${name}, which it does not have.`);
      if (!found.has(name)) {
        found.add(name);
        visit(defs[name]);
      }
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(kinds);
  return Object.fromEntries([...found].sort().map((name) => [name, defs[name]]));
}
