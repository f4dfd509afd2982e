// Made by `npm run gen` from the folders beside it. Do not edit.

export const providerModules = {
  docker: () => import("./docker/index.ts"),
  local: () => import("./local/index.ts"),
} as const;
