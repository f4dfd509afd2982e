import type { AgentProgram } from "../../install/agent-program.ts";
import { program as claude } from "../claude/program.ts";

/**
 * The last version that runs on Node 20. It is pointed to Claude Code itself; of what else its packages name as needed,
 * nothing is imported when it runs.
 */
export const program: AgentProgram = {
  name: "claude-acp",
  command: "claude-agent-acp",
  version: "0.49.0",
  source: {
    kind: "npm-node",
    package: "@agentclientprotocol/claude-agent-acp",
    entry: "dist/index.js",
    dependencies: [
      { name: "@agentclientprotocol/sdk", version: "0.28.1" },
      { name: "@anthropic-ai/claude-agent-sdk", version: "0.3.185" },
      { name: "zod", version: "4.6.7" },
    ],
  },
  needs: [claude],
};
