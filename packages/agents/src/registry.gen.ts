// Made by `npm run gen` from the folders in agents/. Do not edit.

export const agentModules = {
  mock: () => import("./agents/mock/index.ts"),
} as const;
