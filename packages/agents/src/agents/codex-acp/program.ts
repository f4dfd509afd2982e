import type { AgentProgram } from "../../install/agent-program.ts";
import { program as codex } from "../codex/program.ts";

/** One file with everything in it but Codex itself, which it is pointed to. */
export const program: AgentProgram = {
  name: "codex-acp",
  version: "2.6.0",
  source: { kind: "npm-node", package: "@agentclientprotocol/codex-acp", entry: "dist/index.js" },
  needs: [codex],
};
