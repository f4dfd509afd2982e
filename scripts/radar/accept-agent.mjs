import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArtifact } from "../../resources/agent-schemas/src/artifact.mjs";
import { makeBaseline, writeBaseline } from "../../resources/agent-schemas/src/baseline.mjs";
import { checkMessages } from "../../resources/agent-schemas/src/check-messages.mjs";
import { unpromisedFields } from "../../resources/agent-schemas/src/promised-fields.mjs";
import { readKeptLines, readRecordings } from "../../resources/agent-schemas/src/read-lines.mjs";
import { runSuite } from "./run-suite.mjs";

/** Takes what the pinned version says now, in its recordings and in the suite, for the baseline. Only where the suite passes. */
export async function acceptAgent(agent) {
  const linesDirectory = mkdtempSync(join(tmpdir(), "sandbox-agent-radar-lines-"));
  try {
    const { passed, broke, failure } = await runSuite({ file: agent.suite, linesDirectory });
    const problem = failure ?? broke.map(({ test, reason }) => `${test}: ${reason}`).join("; ");
    if (problem) throw new Error(`The suite of ${agent.id} does not pass, nothing is accepted: ${problem}`);
    acceptLines(agent, readKeptLines(linesDirectory));
    return passed;
  } finally {
    rmSync(linesDirectory, { recursive: true, force: true });
  }
}

function acceptLines(agent, keptLines) {
  const artifact = readArtifact(agent.schema);
  const watch = unpromisedFields(agent, artifact);
  const check = (lines) => checkMessages({ artifact, schema: agent.schema, lines, watched: new Set(watch) });
  const [recorded, printed] = [check(readRecordings(agent.recordings)), check(keptLines)];
  writeBaseline(agent.id, makeBaseline({ version: agent.program.version, watch, recorded, printed }));
}
