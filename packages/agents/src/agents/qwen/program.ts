import type { AgentProgram } from "../../install/agent-program.ts";

/** The last version that runs on Node 20; from 0.16 on it wants 22. Its optional packages are not needed. */
export const program: AgentProgram = {
  name: "qwen",
  version: "0.15.10",
  source: { kind: "npm-node", package: "@qwen-code/qwen-code", entry: "cli.js" },
};
