// Made by `npm run gen` from the folders beside it. Do not edit.

export const serviceModules = {
  cloudflare: () => import("./cloudflare/index.ts"),
  daytona: () => import("./daytona/index.ts"),
  e2b: () => import("./e2b/index.ts"),
  kubernetes: () => import("./kubernetes/index.ts"),
  modal: () => import("./modal/index.ts"),
  vercel: () => import("./vercel/index.ts"),
} as const;
