// Made by `npm run gen` from the folders in agents/. Do not edit.

export const agentModules = {
  amp: () => import("./agents/amp/index.ts"),
  claude: () => import("./agents/claude/index.ts"),
  codex: () => import("./agents/codex/index.ts"),
  gemini: () => import("./agents/gemini/index.ts"),
  goose: () => import("./agents/goose/index.ts"),
  mock: () => import("./agents/mock/index.ts"),
  opencode: () => import("./agents/opencode/index.ts"),
} as const;
