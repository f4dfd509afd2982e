import { nameOfRef, reachable, wordsOf } from "./schema-shape.mjs";

/**
 * What changed between two schemas of an agent: kinds and fields that came, went or are of another type. Each field is
 * named by the definition it is in. `reading` says what our code reads: `read` fields and kinds matter most; a field that
 * may be shown is in a kind we read.
 */
export function diffSchemas(before, after, reading) {
  const [old, now] = [before["x-kinds"], after["x-kinds"]];
  const [oldFields, newFields] = [fieldsOf(before), fieldsOf(after)];
  const shown = shownNames(after, reading);
  const kind = (what, name) => ({ what, kind: name, mark: reading.readsKind(name) ? "read" : "ignored" });
  const field = (what, path, rest) => ({ what, field: path, ...rest, mark: markOf(path, reading, shown) });
  return [
    ...missingIn(old, now).map((name) => kind("removed", name)),
    ...missingIn(now, old).map((name) => kind("added", name)),
    ...[...oldFields].flatMap(([path, { type, required }]) => {
      const is = newFields.get(path);
      if (is === undefined) return [field("removed", path, { type })];
      if (is.type !== type)
        return [field(isWider(type, is.type) ? "wider" : "changed", path, { type, newType: is.type })];
      return is.required === required ? [] : [field(required ? "optional" : "required", path, { type })];
    }),
    ...[...newFields]
      .filter(([path]) => !oldFields.has(path))
      .map(([path, { type }]) => field("added", path, { type })),
  ];
}

const missingIn = (all, others) => Object.keys(all).filter((name) => !Object.hasOwn(others, name));

/** Less than before, or something else, where we read it. */
export const isAlarm = ({ what, mark }) => mark === "read" && (what === "removed" || what === "changed");

function markOf(path, { fields }, shown) {
  if (fields.has(path.split(".").at(-1).replaceAll("[]", ""))) return "read";
  return shown.has(path.split(/[.(]/, 1)[0]) ? "may show" : "ignored";
}

/** The kinds that we read and the definitions they are made of. */
function shownNames({ "x-kinds": kinds, $defs: defs }, { readsKind }) {
  const read = Object.entries(kinds).filter(([name]) => readsKind(name));
  return new Set([...read.map(([name]) => name), ...Object.keys(reachable(Object.fromEntries(read), defs))]);
}

/** Every value of before may still come, and more. */
function isWider(type, newType) {
  const [old, now] = [type.split(" | "), newType.split(" | ")];
  return old.every((each) => now.includes(each));
}

/** Every field by its path, with its type as text. */
function fieldsOf({ "x-kinds": kinds, $defs: defs }) {
  const fields = new Map();
  const walk = (schema, path) => {
    if (typeof schema !== "object" || schema === null) return;
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      fields.set(`${path}.${name}`, { type: typeText(inner), required: schema.required?.includes(name) ?? false });
      walk(inner, `${path}.${name}`);
    }
    for (const variant of schema.anyOf ?? []) walk(variant, `${path}${nameOfVariant(variant)}`);
    for (const part of schema.allOf ?? []) walk(part, path);
    if (schema.items) walk(schema.items, `${path}[]`);
    if (typeof schema.additionalProperties === "object") walk(schema.additionalProperties, `${path}.*`);
  };
  /** An alternative that is told apart by a word of its own, e.g. `(commandExecution)`. */
  const nameOfVariant = (variant) => {
    const words = Object.values(variant.properties ?? {}).map((each) => wordsOf(each, defs));
    const telling = words.find((each) => each?.length === 1);
    return telling === undefined ? "" : `(${telling[0]})`;
  };
  for (const [name, schema] of Object.entries(kinds)) walk(schema, name);
  for (const [name, schema] of Object.entries(defs)) walk(schema, name);
  for (const [name, schema] of Object.entries(defs)) {
    if (schema.properties === undefined) fields.set(name, { type: typeText(schema), required: true });
  }
  return fields;
}

function typeText(schema) {
  if (typeof schema !== "object" || schema === null) return "any";
  if (schema.$ref !== undefined) return nameOfRef(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((word) => JSON.stringify(word)));
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(typeText));
  if (schema.allOf !== undefined) return schema.allOf.map(typeText).join(" & ");
  if (schema.items !== undefined) return `${typeText(schema.items)}[]`;
  if (schema.properties !== undefined) return "{…}";
  if (schema.additionalProperties !== undefined) return `{ *: ${typeText(schema.additionalProperties)} }`;
  return Array.isArray(schema.type) ? union(schema.type) : (schema.type ?? "any");
}

const union = (types) => [...new Set(types.flatMap((type) => type.split(" | ")))].sort().join(" | ");
