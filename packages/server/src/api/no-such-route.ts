import { routes, SandboxError } from "@sandbox-agent-ts/protocol";
import { isOf } from "./route-pattern.ts";

export interface TableRoute {
  readonly method: string;
  readonly path: string;
}

/** 405 for a path that another method knows, else 404. */
export function noSuchRoute(method: string, path: string, more: readonly TableRoute[] = []): SandboxError {
  const others = [...routes, ...more].filter((route) => isOf(route.path, path)).map((route) => route.method);
  if (others.length === 0) {
    return new SandboxError("not_found", `There is nothing at ${path}. GET /openapi.json lists all routes.`);
  }
  const allow = others.join(", ");
  return new SandboxError("method_not_allowed", `${path} does not know ${method}. It knows: ${allow}.`, {
    details: { allow },
  });
}
