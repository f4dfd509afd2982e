import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArtifact } from "../../resources/agent-schemas/src/artifact.mjs";
import { newFindings, newlySeen, notSeen, readBaseline } from "../../resources/agent-schemas/src/baseline.mjs";
import { checkMessages } from "../../resources/agent-schemas/src/check-messages.mjs";
import { diffSchemas, isAlarm } from "../../resources/agent-schemas/src/diff-schemas.mjs";
import { extractSchema } from "../../resources/agent-schemas/src/extract-schema.mjs";
import { readKeptLines, readRecordings } from "../../resources/agent-schemas/src/read-lines.mjs";
import { describeVersion, findNewest } from "./find-newest.mjs";
import { prepareProgram } from "./prepare-program.mjs";
import { runSuite } from "./run-suite.mjs";

/**
 * What is new of an agent, in four layers, the cheapest first: versions, schema, recordings, the contract suite on the new
 * version. A layer that cannot look says why in `failure`, and the others go on.
 */
export async function lookAtAgent(agent, { to, fast = false, only }) {
  const versions = await layer(() => lookAtVersions(agent, to));
  const version = to ?? versions.newest ?? agent.program.version;
  const schema = await layer(() => lookAtSchema(agent, version));
  const { artifact = committed(agent), ...changes } = schema;
  const recordings = await layer(() => lookAtRecordings(agent, artifact));
  const isNew = version !== agent.program.version;
  const suite = isNew && !fast ? await layer(() => lookAtSuite(agent, version, versions, only)) : undefined;
  return { agent: agent.id, pinned: agent.program.version, version, versions, schema: changes, recordings, suite };
}

/** A layer that fails is a finding, not the end. */
async function layer(look) {
  try {
    return (await look()) ?? {};
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

async function lookAtVersions(agent, to) {
  const newest = to ?? (await findNewest(agent));
  return { newest, ...(newest === agent.program.version ? {} : await describeVersion(agent, newest)) };
}

const committed = ({ schema }) => readArtifact(schema);

/** Of an agent that speaks a protocol there is nothing to extract: the protocol is looked at as if it were an agent. */
async function lookAtSchema(agent, version) {
  if (agent.schema !== agent.id) return undefined;
  const artifact = await extractSchema(agent, version);
  const changes = diffSchemas(committed(agent), artifact, readingOf(agent));
  return { artifact, changes: changes.map((change) => ({ ...change, alarm: isAlarm(change) })) };
}

/** The names of kinds have the word that our source knows in their end, or are it. */
function readingOf({ id, sources: { fields, words } }) {
  const separator = { acp: " ", amp: "/", claude: "/" }[id];
  const readsKind = (kind) => words.has(kind) || (separator !== undefined && words.has(kind.split(separator).at(-1)));
  return { fields, readsKind };
}

/** Do the recordings still fit? What does not is what the new version sends no more, or differently. */
function lookAtRecordings(agent, artifact) {
  if (agent.recordings === undefined) return undefined;
  const checked = checkMessages({ artifact, schema: agent.schema, lines: readRecordings(agent.recordings) });
  return { checked: checked.checked, ...newFindings(checked, readBaseline(agent.id)) };
}

async function lookAtSuite(agent, version, { node }, only) {
  if (agent.suite === undefined) return undefined;
  const linesDirectory = mkdtempSync(join(tmpdir(), "sandbox-agent-radar-lines-"));
  try {
    const variables = await prepareProgram(agent, version, { node });
    const result = await runSuite({ file: agent.suite, variables, only, linesDirectory });
    const baseline = readBaseline(agent.id);
    const output = lookAtOutput(agent, readKeptLines(linesDirectory), baseline);
    const gone = only === undefined ? notSeen(output, baseline).filter((text) => isReadPath(agent, text)) : [];
    return {
      ...result,
      checked: output.checked,
      ...newFindings(output, baseline),
      newlySeen: newlySeen(output, baseline),
      gone,
    };
  } finally {
    rmSync(linesDirectory, { recursive: true, force: true });
  }
}

/** What a program printed in the suite, against the committed schema. */
function lookAtOutput(agent, lines, { watch }) {
  return checkMessages({ artifact: committed(agent), schema: agent.schema, lines, watched: new Set(watch) });
}

const isReadPath = ({ sources: { fields } }, text) =>
  fields.has(
    text
      .split(/[.:~ ]/)
      .at(-1)
      .replaceAll("[]", ""),
  );
