import type { AgentProgram } from "../../install/agent-program.ts";

/** One bundle. What it would like to have besides (a pseudo-terminal, the keys of the desktop) it does without. */
export const program: AgentProgram = {
  name: "gemini",
  version: "0.61.0",
  source: { kind: "npm-node", package: "@google/gemini-cli", entry: "bundle/gemini.js" },
};
