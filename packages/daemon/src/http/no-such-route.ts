import { routes, SandboxError } from "@sandbox-agent-ts/protocol";

/** 405 for a path that another method knows, else 404. */
export function noSuchRoute(method: string, path: string): SandboxError {
  const others = routes.filter((route) => pattern(route.path).test(path)).map((route) => route.method);
  if (others.length === 0) {
    return new SandboxError("not_found", `There is nothing at ${path}. GET /openapi.json lists all routes.`);
  }
  const allow = others.join(", ");
  return new SandboxError("method_not_allowed", `${path} does not know ${method}. It knows: ${allow}.`, {
    details: { allow },
  });
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
}
