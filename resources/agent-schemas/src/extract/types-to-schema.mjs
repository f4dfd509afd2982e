import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGenerator } from "ts-json-schema-generator";
import { refTo, splitBy, tidy } from "../schema-shape.mjs";

/** The fields that tell lines apart after `type`, the first that a line has. */
const finer = [["subtype"], ["event", "type"], ["request", "subtype"], ["response", "subtype"]];

/**
 * A JSON schema of a type in the text of a declaration file, by kind (`type/subtype`). `modules` are the packages it
 * imports, by name: folders.
 */
export function typesToSchema({ text, type, modules = {} }) {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-agent-types-"));
  try {
    writeFileSync(join(folder, "types.ts"), text);
    const compilerOptions = {
      target: "ES2022",
      module: "ESNext",
      moduleResolution: "bundler",
      strict: true,
      skipLibCheck: true,
      types: [],
      paths: Object.fromEntries(
        Object.entries(modules).flatMap(([name, path]) => [
          [name, [path]],
          [`${name}/*.mjs`, [`${path}/*.d.mts`]],
          [`${name}/*`, [`${path}/*`]],
        ]),
      ),
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
    const schema = createGenerator({
      path: join(folder, "types.ts"),
      tsconfig: join(folder, "tsconfig.json"),
      type,
      skipTypeCheck: true,
      encodeRefs: false,
      additionalProperties: true,
    }).createSchema(type);
    return byKind(schema, type);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function byKind({ definitions }, type) {
  const own = (ref) => refTo(ref.slice("#/definitions/".length)).$ref;
  const defs = Object.fromEntries(Object.entries(definitions).map(([name, inner]) => [name, tidy(inner, own)]));
  const grouped = grouping(splitBy(refTo(type), ["type"], defs));
  const kinds = {};
  for (const [word, members] of grouped) {
    const schema = members.length === 1 ? members[0] : { anyOf: members };
    const split = finer.map((path) => splitBy(schema, path, defs)).find((each) => each !== undefined);
    const named = split?.map(([subtype, each]) => [`${word}/${subtype}`, each]) ?? [[word, schema]];
    for (const [kind, each] of named) {
      kinds[kind] = kinds[kind] === undefined ? each : { anyOf: [kinds[kind], each] };
    }
  }
  return { kinds, defs };
}

function grouping(pairs) {
  const groups = new Map();
  for (const [word, schema] of pairs) groups.set(word, [...(groups.get(word) ?? []), schema]);
  return groups;
}
