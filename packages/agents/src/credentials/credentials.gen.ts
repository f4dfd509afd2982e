// Made by `npm run gen` from the folders in ../agents/. Do not edit.

export const credentialModules = {
  amp: () => import("../agents/amp/credentials.ts"),
  claude: () => import("../agents/claude/credentials.ts"),
  codex: () => import("../agents/codex/credentials.ts"),
  copilot: () => import("../agents/copilot/credentials.ts"),
  gemini: () => import("../agents/gemini/credentials.ts"),
  goose: () => import("../agents/goose/credentials.ts"),
  opencode: () => import("../agents/opencode/credentials.ts"),
  qwen: () => import("../agents/qwen/credentials.ts"),
} as const;
