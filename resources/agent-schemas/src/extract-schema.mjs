import { extractors } from "./agents.mjs";
import { makeArtifact } from "./artifact.mjs";

/** The schema of what a version of the agent sends, from the best source there is. */
export async function extractSchema({ schema, program, sources }, version = program.version) {
  const found = await extractors[schema].extract({ program, version, ...sources });
  return makeArtifact({ name: schema, ...found });
}
