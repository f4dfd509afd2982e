import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const fileOf = (id) => fileURLToPath(new URL(`../baseline/${id}.json`, import.meta.url));
const categories = ["unknownKinds", "unknownFields", "unknownWords", "invalid"];

/**
 * What is known of an agent: `accepted` oddities, by what they are; `watch`, the fields we read that no schema promises;
 * `seen`, all kinds of messages and their fields in a run of the suite; `recorded`, what beside them is in the recordings.
 */
export function readBaseline(id) {
  if (existsSync(fileOf(id))) return JSON.parse(readFileSync(fileOf(id), "utf8"));
  return { version: null, accepted: {}, watch: [], seen: {}, recorded: {} };
}

/** What was found and is not accepted, by category. */
export function newFindings(findings, { accepted }) {
  return Object.fromEntries(
    categories.map((category) => {
      const known = new Set(accepted[category]);
      return [
        category,
        [...findings[category]].filter(([text]) => !known.has(text)).map(([what, rest]) => ({ what, ...rest })),
      ];
    }),
  );
}

/** Kinds and fields (`kind: path`) that are not in the baseline. */
export const newlySeen = (findings, { seen, recorded }) =>
  pathsOf(findings.seen)
    .filter(([kind, path]) => !seen[kind]?.includes(path) && !recorded[kind]?.includes(path))
    .map(asText);

/** Those of an earlier run of the suite that did not come this time. */
export const notSeen = (findings, { seen }) =>
  pathsOf(Object.entries(seen))
    .filter(([kind, path]) => !findings.seen.get(kind)?.has(path))
    .map(asText);

const pathsOf = (seen) => [...seen].flatMap(([kind, paths]) => [...paths].map((path) => [kind, path]));
const asText = ([kind, path]) => `${kind}: ${path}`;

/** The baseline of exactly what these checks found, in the recordings and in what was printed in the suite. */
export function makeBaseline({ version, watch, recorded, printed }) {
  const found = (category) => [...recorded[category].keys(), ...printed[category].keys()];
  return {
    version,
    accepted: Object.fromEntries(categories.map((category) => [category, sorted(found(category))])),
    watch,
    seen: byKind(pathsOf(printed.seen)),
    recorded: byKind(pathsOf(recorded.seen).filter(([kind, path]) => !printed.seen.get(kind)?.has(path))),
  };
}

const sorted = (values) => [...new Set(values)].sort();

function byKind(pairs) {
  const kinds = sorted(pairs.map(([kind]) => kind));
  const pathsIn = (wanted) => pairs.flatMap(([kind, path]) => (kind === wanted ? [path] : []));
  return Object.fromEntries(kinds.map((kind) => [kind, sorted(pathsIn(kind))]));
}

/** One line for each kind: a change is seen at a glance. */
export function writeBaseline(id, { seen, recorded, ...rest }) {
  const head = JSON.stringify(rest, null, 2).slice(0, -2);
  const text = `${head},\n  "seen": ${lines(seen)},\n  "recorded": ${lines(recorded)}\n}\n`;
  mkdirSync(dirname(fileOf(id)), { recursive: true });
  writeFileSync(fileOf(id), text);
}

function lines(kinds) {
  const entries = Object.entries(kinds).map(([kind, paths]) => `    ${JSON.stringify(kind)}: ${JSON.stringify(paths)}`);
  return entries.length === 0 ? "{}" : `{\n${entries.join(",\n")}\n  }`;
}
