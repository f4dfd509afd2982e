import { resolve, variantsOf, wordsOf } from "./schema-shape.mjs";

const typeOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
const listOf = (value) => (Array.isArray(value) ? value : [value]);
const isType = (type, value) =>
  type === "integer"
    ? Number.isInteger(value)
    : type === typeOf(value) || (type === "number" && typeof value === "number");

/**
 * Walks a value beside its schema and tells what differs, each with its path: fields that the schema does not name, words
 * and variants it does not know, what is missing or of another type. Of a union it takes the one variant that is meant, so
 * that what it tells is about that.
 *
 * `see(path)` is told every field that the schema names, `free(value, path)` what it leaves open.
 */
export function inspectValue({ value, schema, defs, isValid, see, free, tell }) {
  const walk = (value, schema, path) => {
    const facets = facetsOf(value, schema, path);
    if (facets === undefined) return;
    for (const facet of facets) {
      if (!fitsType(value, facet, path) || !fitsWords(value, facet, path)) return;
    }
    if (Array.isArray(value)) walkArray(value, facets, path);
    else if (typeof value === "object" && value !== null) walkObject(value, facets, path);
  };

  /** Plain schemas that all hold for the value. */
  const facetsOf = (value, schema, path) => {
    const at = resolve(schema, defs);
    if (typeof at !== "object" || at === null) return [];
    const { allOf = [], anyOf, ...own } = at;
    const inner = allOf.map((each) => facetsOf(value, each, path));
    if (anyOf !== undefined) {
      const chosen = choose(value, variantsOf({ anyOf }, defs), path);
      if (chosen === undefined) return undefined;
      inner.push(facetsOf(value, chosen, path));
    }
    return inner.includes(undefined) ? undefined : [own, ...inner.flat()];
  };

  const choose = (value, variants, path) => {
    const words = variants.flatMap((variant) => wordsOf(variant, defs) ?? []);
    const ofType = variants.filter((variant) => couldBe(value, variant));
    if (ofType.length === 0) {
      tell("invalid", path, `is ${typeOf(value)}`);
      return undefined;
    }
    const meant = ofType.filter((variant) => isMeant(value, variant));
    if (meant.length === 0) {
      const word = typeof value === "string" ? value : discriminating(value, ofType);
      tell(words.length > 0 || word !== undefined ? "unknownWords" : "invalid", path, `is "${word}"`);
      return undefined;
    }
    return meant.length === 1
      ? meant[0]
      : (meant.find((variant) => isValid(variant, value)) ?? mostAlike(value, meant));
  };

  const couldBe = (value, variant) =>
    plain(variant).every(({ type, properties, items }) => {
      if (type !== undefined) return listOf(type).some((each) => isType(each, value));
      if (properties !== undefined) return typeOf(value) === "object";
      return items === undefined || Array.isArray(value);
    });

  /** A field with one word only says which variant it is. */
  const isMeant = (value, variant) => {
    const words = wordsOf(variant, defs);
    if (words !== undefined) return words.includes(value);
    if (typeOf(value) !== "object") return true;
    return tellingFields(variant).every(([name, word]) => !(name in value) || value[name] === word);
  };

  const tellingFields = (variant) =>
    plain(variant).flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([name, schema]) => {
        const words = wordsOf(schema, defs);
        return words?.length === 1 ? [[name, words[0]]] : [];
      }),
    );

  const discriminating = (value, variants) => {
    const names = variants.flatMap((variant) => tellingFields(variant).map(([name]) => name));
    const name = names.find((each) => typeof value?.[each] === "string");
    return name === undefined ? undefined : value[name];
  };

  const mostAlike = (value, variants) => {
    const shared = (variant) =>
      plain(variant).flatMap(({ properties = {} }) => Object.keys(properties).filter((name) => name in Object(value)))
        .length;
    return variants.toSorted((a, b) => shared(b) - shared(a))[0];
  };

  /** The schema and those it is made of, without its unions. */
  const plain = (schema) => {
    const at = resolve(schema, defs);
    if (typeof at !== "object" || at === null) return [];
    return [at, ...(at.allOf ?? []).flatMap(plain)];
  };

  const fitsType = (value, { type }, path) => {
    if (type === undefined || listOf(type).some((each) => isType(each, value))) return true;
    tell("invalid", path, `is ${typeOf(value)}, not ${listOf(type).join(" or ")}`);
    return false;
  };

  const fitsWords = (value, facet, path) => {
    const words = wordsOf(facet, defs);
    if (words === undefined || words.includes(value)) return true;
    tell("unknownWords", path, `is ${JSON.stringify(value)}`);
    return false;
  };

  const walkArray = (value, facets, path) => {
    const schemas = facets.flatMap(({ items }) => (items === undefined ? [] : [items]));
    const tuples = facets.flatMap(({ prefixItems = [] }) => prefixItems);
    if (schemas.length === 0 && tuples.length === 0) return free(value, path);
    value.forEach((each, at) => {
      for (const schema of tuples.length > 0 ? tuples.slice(at, at + 1) : schemas) walk(each, schema, `${path}[]`);
    });
  };

  const walkObject = (value, facets, path) => {
    const named = new Map();
    for (const { properties = {} } of facets) {
      for (const [name, schema] of Object.entries(properties)) named.set(name, [...(named.get(name) ?? []), schema]);
    }
    const others = facets.flatMap(({ additionalProperties: schema, patternProperties = {} }) => [
      ...(typeof schema === "object" ? [schema] : []),
      ...Object.values(patternProperties),
    ]);
    const isOpen = named.size === 0 || facets.some(({ additionalProperties }) => additionalProperties === true);
    for (const name of new Set(facets.flatMap(({ required = [] }) => required))) {
      if (!Object.hasOwn(value, name)) tell("invalid", join(path, name), "is missing");
    }
    for (const [name, inner] of Object.entries(value)) {
      const schemas = named.get(name);
      if (schemas !== undefined) {
        see(join(path, name));
        for (const schema of schemas) walk(inner, schema, join(path, name));
      } else if (others.length > 0) for (const schema of others) walk(inner, schema, join(path, "*"));
      else if (name === "_meta" || isOpen) free({ [name]: inner }, path);
      else {
        tell("unknownFields", join(path, name), "");
        free({ [name]: inner }, path);
      }
    }
  };

  walk(value, schema, "");
}

const join = (path, name) => (path === "" ? name : `${path}.${name}`);
