// Feared: an agent that says something nobody knows of. Every recorded line is held against the schema of its own kind;
// what no schema promises is in the baseline, so that here nothing is left.
import { beforeAll, describe, expect, test } from "vitest";
import { acpProtocol, loadAgents } from "./agents.mjs";
import { readArtifact } from "./artifact.mjs";
import { newFindings, newlySeen, readBaseline } from "./baseline.mjs";
import { checkMessages } from "./check-messages.mjs";
import { unpromisedFields } from "./promised-fields.mjs";
import { readRecordings } from "./read-lines.mjs";

const all = await loadAgents();
const agents = all.filter(({ recordings }) => recordings !== undefined);
const advice = "`npm run radar -- --accept --agent ID` takes what is there now, after somebody has looked at it";

test("there are recordings of the agents that tell us most", () => {
  expect(agents.map(({ id }) => id)).toEqual(expect.arrayContaining(["claude", "codex", "gemini", "opencode"]));
});

describe.each(agents.map((agent) => [agent.id, agent] as const))("the recordings of %s", (id, agent) => {
  const baseline = readBaseline(id);
  const artifact = readArtifact(agent.schema);
  let checked: ReturnType<typeof checkMessages>;
  beforeAll(() => {
    checked = checkMessages({ artifact, schema: agent.schema, lines: readRecordings(agent.recordings as string) });
  });

  test("are lines that a schema is found for", () => {
    expect(checked.checked).toBeGreaterThan(40);
  });

  test(`hold what their schemas promise, and nothing that is not accepted (${advice})`, () => {
    const nothing = { unknownKinds: [], unknownFields: [], unknownWords: [], invalid: [] };
    expect(newFindings(checked, baseline)).toEqual(nothing);
  });

  test(`have no kind or field that the baseline has not seen (${advice})`, () => {
    expect(newlySeen(checked, baseline)).toEqual([]);
  });

  test("the baseline is of the version that is pinned", () => {
    expect(baseline.version).toBe(agent.program.version);
  });

  test(`what we read and no schema promises is on the watch list (${advice})`, () => {
    expect(unpromisedFields(agent, artifact)).toEqual(baseline.watch);
  });
});

const described = [...all.filter(({ id, schema }) => id === schema), acpProtocol()];

test.each(described)("the schema of $id is of the version that is pinned (`npm run schemas` makes it so)", (agent) => {
  const { version, package: name, command } = readArtifact(agent.schema)["x-source"];
  expect(name).not.toBe("");
  expect(command).not.toBe("");
  // Types of a development kit have numbers of their own; the last part is that of the program, except for an old kit.
  const release = agent.program.version.split(".").at(-1) as string;
  if (agent.id !== "amp") expect(version).toContain(release);
});
