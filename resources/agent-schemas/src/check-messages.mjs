import Ajv2020 from "ajv/dist/2020.js";
import { inspectValue } from "./inspect-value.mjs";
import { messageReader } from "./kind-of-message.mjs";

/** What differs between messages and schema, by what it means. */
const noFindings = () => ({
  unknownKinds: new Map(),
  unknownFields: new Map(),
  unknownWords: new Map(),
  invalid: new Map(),
});

/**
 * Holds lines of an agent against its schema, each against the schema of its own kind. Answers the kinds and the fields
 * that were seen, and what differs, each as `kind: path …` with how often and one example.
 *
 * `lines` are `{ line, from, process }`; `watched` are names to look for also where the schema leaves everything open.
 */
export function checkMessages({ artifact, schema, lines, watched = new Set() }) {
  const { "x-kinds": kinds, $defs: defs } = artifact;
  const isValid = validator(defs);
  const read = messageReader(schema);
  const seen = new Map();
  const findings = noFindings();
  let checked = 0;

  const tell = (category, text, line) => {
    const known = findings[category].get(text);
    findings[category].set(text, { count: (known?.count ?? 0) + 1, example: known?.example ?? line.slice(0, 400) });
  };
  const watchIn = (value, see, depth = 0) => {
    if (typeof value !== "object" || value === null || depth > 20) return;
    for (const [name, inner] of Object.entries(value)) {
      if (watched.has(name)) see(`~${name}`);
      watchIn(inner, see, depth + 1);
    }
  };

  for (const each of lines) {
    const message = read(each.line, each);
    if (message === undefined) continue;
    checked += 1;
    const { kind, value } = message;
    const fields = seen.get(kind) ?? new Set();
    seen.set(kind, fields);
    const see = (path) => fields.add(path);
    if (!Object.hasOwn(kinds, kind)) {
      tell("unknownKinds", kind, each.line);
      watchIn(value, see);
      continue;
    }
    let told = 0;
    inspectValue({
      value,
      schema: kinds[kind],
      defs,
      isValid: (inner, part) => isValid(inner, part) === undefined,
      see,
      free: (part) => watchIn(part, see),
      tell: (category, path, problem) => {
        if (category !== "unknownFields") told += 1;
        tell(category, `${kind}: ${path}${problem === "" ? "" : ` ${problem}`}`, each.line);
      },
    });
    const reason = isValid(kinds[kind], value);
    if (reason !== undefined && told === 0) tell("invalid", `${kind}: ${reason}`, each.line);
  }
  return { checked, seen, ...findings };
}

/** Why a value does not fit a schema; undefined where it does. */
function validator(defs) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  // In one place of its own, so that a definition is compiled once for all that refer to it.
  const located = (schema) => JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"agent:/defs#/'));
  ajv.addSchema({ $id: "agent:/defs", $defs: located(defs) });
  const compiled = new Map();
  return (schema, value) => {
    const key = JSON.stringify(schema);
    if (!compiled.has(key)) compiled.set(key, ajv.compile(located(schema)));
    const validate = compiled.get(key);
    if (validate(value)) return undefined;
    const [{ instancePath, message }] = validate.errors;
    return `${instancePath} ${message}`;
  };
}
