export type SessionTab = "conversation" | "events" | "files";

export type Route =
  | { readonly page: "home" }
  | { readonly page: "agents" }
  | { readonly page: "requests" }
  | { readonly page: "session"; readonly sessionId: string; readonly tab: SessionTab };

const tabs: readonly SessionTab[] = ["conversation", "events", "files"];

/** Routes live in the fragment, so that any static server can serve the page. What is not known is home. */
export function parseRoute(hash: string): Route {
  const [page, id, tab] = hash.replace(/^#?\/?/, "").split("/");
  if (page === "agents" || page === "requests") return { page };
  if (page !== "sessions" || !id) return { page: "home" };
  const known = tabs.find((name) => name === tab);
  return { page: "session", sessionId: decode(id), tab: known ?? "conversation" };
}

export function formatRoute(route: Route): string {
  if (route.page === "home") return "#/";
  if (route.page !== "session") return `#/${route.page}`;
  const base = `#/sessions/${encodeURIComponent(route.sessionId)}`;
  return route.tab === "conversation" ? base : `${base}/${route.tab}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
