import { routes } from "@sandbox-agent-ts/protocol";

const patterns = new Map<string, RegExp>();

/** Whether a path is one of a route of the table. */
export function isOf(route: string, path: string): boolean {
  const known = patterns.get(route) ?? patternOf(route);
  patterns.set(route, known);
  return known.test(path);
}

/** A `{path}` has slashes. */
function patternOf(route: string): RegExp {
  const text = route
    .replace(/[.]/g, "\\.")
    .replace("{path}", ".+")
    .replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${text}$`);
}

/** The route of a table that a path belongs to, with its `{parameters}`; undefined for all others. */
export function routeOf(path: string, table: readonly { readonly path: string }[] = routes): string | undefined {
  return table.find((route) => isOf(route.path, path))?.path;
}
