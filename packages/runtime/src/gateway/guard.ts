import { isOf } from "@sandbox-agent-ts/server/api";
import type { Context, Hono } from "hono";
import { ensureMay } from "../access/may.ts";
import type { Principal } from "../access/principal.ts";
import { guardedRoutes } from "../access/route-actions.ts";
import type { Asked } from "./audit.ts";

/**
 * Refuse what a principal may do with no session at all, before anything of the request is read. Which sessions it reaches
 * is looked at where they are found. Who has no principal got here by the routes that are for everybody.
 */
export function guard(
  app: Hono,
  principalOf: (c: Context) => Principal | undefined,
  note: (c: Context, asked: Asked) => void,
): void {
  app.use(async (c, next) => {
    const principal = principalOf(c);
    if (principal) {
      const asked = askedFor(c);
      note(c, asked);
      ensureMay(principal, asked.action);
    }
    await next();
  });
}

/** A path that is no operation leads to a 404, for those who may at least read or write something. */
function askedFor(c: Context): Asked {
  const { path } = c.req;
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const known = guardedRoutes.find((route) => route.method === method && isOf(route.path, path));
  if (!known) return { action: method === "GET" ? "session:read" : "session:write", operation: `${method} (unknown)` };
  return { action: known.action, operation: `${method} ${known.path}`, sessionId: sessionIdOf(c, known.path) };
}

function sessionIdOf(c: Context, route: string): string | undefined {
  const place = route.split("/").indexOf("{sessionId}");
  const named = place === -1 ? undefined : c.req.path.split("/")[place];
  if (named === undefined) return c.req.query("sessionId") ?? c.req.query("session_id");
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}
