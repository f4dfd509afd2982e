// Made by `npm run gen` from the folders beside it. Do not edit.

export const providerModules = {
  cloudflare: () => import("./cloudflare/index.ts"),
  daytona: () => import("./daytona/index.ts"),
  docker: () => import("./docker/index.ts"),
  e2b: () => import("./e2b/index.ts"),
  kubernetes: () => import("./kubernetes/index.ts"),
  local: () => import("./local/index.ts"),
  modal: () => import("./modal/index.ts"),
  vercel: () => import("./vercel/index.ts"),
} as const;
