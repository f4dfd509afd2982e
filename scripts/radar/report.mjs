/** What a layer found, as lines for people; empty where nothing moved. */
const findingLines = (layer) => [
  ...(layer.unknownKinds ?? []).map(({ what, count }) => `new kind ${what} ×${count}`),
  ...(layer.unknownWords ?? []).map(({ what, count }) => `new word or variant ${what} ×${count}`),
  ...(layer.unknownFields ?? []).map(({ what, count }) => `new field ${what} ×${count}`),
  ...(layer.invalid ?? []).map(({ what, count }) => `ALARM ${what} ×${count}`),
];

const changeText = ({ what, kind, field, type, newType, mark, alarm }) => {
  const name = kind === undefined ? `field ${field}` : `kind ${kind}`;
  const types =
    newType === undefined ? "" : ` (${what === "wider" ? addedTypes(type, newType) : `${type} → ${newType}`})`;
  const read = mark === "ignored" ? "" : mark === "read" ? ", we read it" : ", we might show it";
  return `${alarm ? "ALARM " : ""}${what} ${name}${types}${read}`;
};

const addedTypes = (type, newType) => {
  const known = new Set(type.split(" | "));
  return `+ ${newType
    .split(" | ")
    .filter((each) => !known.has(each))
    .join(" | ")}`;
};

/** Everything that moved, by layer, and what could not be looked at. */
function findingsOf({ versions, schema, recordings, suite }) {
  const { missingPlatforms = [] } = versions;
  return {
    versions: missingPlatforms.length === 0 ? [] : [`not there (yet) for ${missingPlatforms.join(", ")}`],
    schema: (schema.changes ?? []).map(changeText),
    recordings: findingLines(recordings),
    suite: [
      ...(suite?.broke ?? []).map(({ test, reason }) => `BROKE ${test}: ${reason}`),
      ...findingLines(suite ?? {}),
      ...(suite?.gone ?? []).map((what) => `not seen any more ${what}, we read it`),
    ],
  };
}

const failuresOf = (row) =>
  ["versions", "schema", "recordings", "suite"].flatMap((name) =>
    row[name]?.failure === undefined ? [] : [`${name} could not be looked at: ${row[name].failure}`],
  );

/** 0: nothing moved; 1: something did; 2: it could not be looked. */
export function exitCodeOf(rows) {
  if (rows.some((row) => Object.values(findingsOf(row)).flat().length > 0)) return 1;
  return rows.some((row) => failuresOf(row).length > 0) ? 2 : 0;
}

export function reportText(rows) {
  const table = [["agent", "pinned → newest", "schema", "recordings", "suite"], ...rows.map(columns)];
  const widths = table[0].map((_, at) => Math.max(...table.map((row) => row[at].length)));
  const lines = table.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ...rows.flatMap(details)].join("\n");
}

function columns(row) {
  const { agent, pinned, version, schema, recordings, suite } = row;
  const moved = version === pinned ? pinned : `${pinned} → ${version}`;
  return [agent, moved, schemaCell(schema), recordingsCell(recordings), suiteCell(suite)];
}

function schemaCell({ failure, changes }) {
  if (failure !== undefined) return "?";
  if (changes === undefined) return "–";
  if (changes.length === 0) return "identical";
  const count = (...words) => changes.filter(({ what }) => words.includes(what)).length;
  const read = changes.filter(({ mark }) => mark === "read").length;
  return `+${count("added")} −${count("removed")} ~${changes.length - count("added", "removed")}${read > 0 ? ` (${read} read)` : ""}`;
}

function recordingsCell(layer) {
  if (layer.failure !== undefined) return "?";
  return layer.checked === undefined ? "–" : `${findingLines(layer).length} of ${layer.checked} lines new`;
}

function suiteCell(suite) {
  if (suite === undefined) return "–";
  if (suite.broke === undefined || suite.failure !== undefined) return "?";
  return `${suite.passed}/${suite.passed + suite.broke.length}`;
}

function details(row) {
  const { versions, ...others } = findingsOf(row);
  const node = row.versions.node === undefined ? [] : [`  wants Node ${row.versions.node}`];
  const lines = [
    ...versions.map((line) => `  ${line}`),
    ...Object.entries(others).flatMap(([layer, found]) => found.map((line) => `  ${layer}: ${line}`)),
    ...failuresOf(row).map((line) => `  ${line}`),
  ];
  return lines.length === 0 ? [] : ["", row.agent, ...node, ...lines];
}
