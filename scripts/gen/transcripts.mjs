import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./root.mjs";

const agentsFolder = "packages/agents/src/agents";
const header = "// Made by `npm run gen` from the folders in agents/. Do not edit.\n\n";

/** By file: what it exports, as `TranscriptDialect` wants it. */
const parts = [
  ["transcript.ts", "parseTranscript"],
  ["transcript.ts", "readTranscript"],
  ["write-transcript.ts", "writeTranscript"],
];

/** How the agents keep their conversations: of every folder what it has. */
export async function outputs() {
  const agents = (await readdir(join(root, agentsFolder))).sort().flatMap(describe);
  const imports = agents.flatMap(({ imports }) => imports);
  const lines = agents.map(({ line }) => line);
  const text = `${header}${imports.join("")}import type { TranscriptDialect } from "./transcript-dialect.ts";

export const transcriptDialects = {
${lines.join("")}} satisfies Record<string, TranscriptDialect>;
`;
  return [{ path: "packages/agents/src/transcripts/transcripts.gen.ts", text }];
}

function describe(name) {
  const there = parts.filter(([file]) => existsSync(join(root, agentsFolder, name, file)));
  if (there.length === 0 || !existsSync(join(root, agentsFolder, name, "index.ts"))) return [];
  const own = (exported) => `${exported}_${name.replaceAll(/\W/g, "_")}`;
  const imports = there.map(
    ([file, exported]) => `import { ${exported} as ${own(exported)} } from "../agents/${name}/${file}";\n`,
  );
  const members = there.map(([, exported]) => `${exported}: ${own(exported)}`);
  return [{ imports, line: `  ${JSON.stringify(name)}: { ${members.join(", ")} },\n` }];
}
