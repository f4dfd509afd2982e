// Made by `npm run gen` from the folders in agents/. Do not edit.

export const agentModules = {
  amp: () => import("./agents/amp/index.ts"),
  claude: () => import("./agents/claude/index.ts"),
  "claude-acp": () => import("./agents/claude-acp/index.ts"),
  codex: () => import("./agents/codex/index.ts"),
  "codex-acp": () => import("./agents/codex-acp/index.ts"),
  copilot: () => import("./agents/copilot/index.ts"),
  gemini: () => import("./agents/gemini/index.ts"),
  goose: () => import("./agents/goose/index.ts"),
  mock: () => import("./agents/mock/index.ts"),
  opencode: () => import("./agents/opencode/index.ts"),
  "opencode-acp": () => import("./agents/opencode-acp/index.ts"),
  qwen: () => import("./agents/qwen/index.ts"),
} as const;
