import type { AgentProgram } from "../../install/agent-program.ts";
import { releases } from "./releases.ts";

/** Each platform's package holds one executable that needs no Node. */
export const program: AgentProgram = {
  name: "claude",
  version: "2.1.327",
  signIn: {
    login: { args: ["auth", "login"] },
    variables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  },
  modelService: { variable: "ANTHROPIC_BASE_URL", url: "https://api.anthropic.com" },
  source: {
    kind: "npm",
    packages: {
      "linux-x64": { name: "@anthropic-ai/claude-code-linux-x64", binary: "claude" },
      "linux-x64-musl": { name: "@anthropic-ai/claude-code-linux-x64-musl", binary: "claude" },
      "linux-arm64": { name: "@anthropic-ai/claude-code-linux-arm64", binary: "claude" },
      "linux-arm64-musl": { name: "@anthropic-ai/claude-code-linux-arm64-musl", binary: "claude" },
      "darwin-x64": { name: "@anthropic-ai/claude-code-darwin-x64", binary: "claude" },
      "darwin-arm64": { name: "@anthropic-ai/claude-code-darwin-arm64", binary: "claude" },
      "win32-x64": { name: "@anthropic-ai/claude-code-win32-x64", binary: "claude.exe" },
      "win32-arm64": { name: "@anthropic-ai/claude-code-win32-arm64", binary: "claude.exe" },
    },
  },
  vendor: releases,
};
