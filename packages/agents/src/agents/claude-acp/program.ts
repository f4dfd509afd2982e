import type { AgentProgram } from "../../install/agent-program.ts";
import { node22 } from "../../install/node-22.ts";
import { program as claude } from "../claude/program.ts";

/** It is pointed to Claude Code itself; of what else its packages name as needed, nothing is imported when it runs. */
export const program: AgentProgram = {
  name: "claude-acp",
  command: "claude-agent-acp",
  version: "0.100.0",
  source: {
    kind: "npm-node",
    package: "@agentclientprotocol/claude-agent-acp",
    entry: "dist/index.js",
    dependencies: [
      { name: "@agentclientprotocol/sdk", version: "2.4.0" },
      { name: "@anthropic-ai/claude-agent-sdk", version: "0.3.316" },
      { name: "diff", version: "9.0.0" },
      { name: "zod", version: "4.6.7" },
    ],
    node: node22,
  },
  needs: [claude],
};
