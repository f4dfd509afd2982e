// Made by `npm run gen` from the folders in agents/. Do not edit.

export const agentModules = {
} as const;
