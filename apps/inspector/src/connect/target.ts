export interface Target {
  readonly url: string;
  readonly token: string;
}

interface Place {
  readonly href: string;
}

export interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const STORAGE_KEY = "sandbox-agent.target";

export interface FoundTarget {
  readonly target: Target;
  /** The address without what was taken from it, if anything was. */
  readonly cleaned: string | undefined;
  /** Somebody said so: a link, or an earlier visit. Otherwise it is a guess. */
  readonly isGiven: boolean;
}

/** Where to connect to: what the link says, else this tab's last, else this device's last, else where the page is from. */
export function findTarget(place: Place, memories: readonly Memory[]): FoundTarget {
  const address = new URL(place.href);
  const linked = address.searchParams.get("url");
  const token = takeToken(address);
  const url = linked === null ? undefined : normaliseUrl(linked);
  address.searchParams.delete("url");
  address.searchParams.delete("headers");
  const cleaned = address.href === place.href ? undefined : address.href;
  const remembered = memories.map(recall).find((target) => target !== undefined);
  if (url !== undefined || token !== undefined) {
    const target = { url: url ?? originOf(address), token: token ?? tokenFor(url, remembered) };
    return { target, cleaned, isGiven: true };
  }
  if (remembered) return { target: remembered, cleaned, isGiven: true };
  return { target: { url: originOf(address), token: "" }, cleaned, isGiven: address.pathname.startsWith("/ui") };
}

/** The token of `#token=…`, or of `?token=…` as 0.1.11 makes its links; it is taken out of the address. */
function takeToken(address: URL): string | undefined {
  const queried = address.searchParams.get("token") ?? undefined;
  address.searchParams.delete("token");
  const [, token] = /^#\/?\??(?:.*&)?token=([^&]*)/.exec(address.hash) ?? [];
  if (token === undefined) return queried;
  address.hash = "";
  return safeDecode(token);
}

/** What was typed into the two fields. Either takes the whole link that a daemon prints; undefined when it is no address. */
export function targetFromFields(endpoint: string, token: string): Target | undefined {
  const pasted = /^\s*https?:\/\//i.test(token) ? readLink(token) : undefined;
  if (pasted?.token !== undefined) return { url: pasted.url, token: pasted.token };
  const named = readLink(endpoint);
  return named && { url: named.url, token: named.token ?? token.trim() };
}

/** The daemon that an address or a link to its inspector means, and the token it carries. */
function readLink(text: string): { readonly url: string; readonly token: string | undefined } | undefined {
  const normal = normaliseUrl(text);
  if (normal === undefined) return undefined;
  const address = new URL(normal);
  const token = takeToken(address);
  const linked = normaliseUrl(address.searchParams.get("url") ?? "");
  const path = address.pathname.replace(/\/ui(\/.*)?$/, "").replace(/\/+$/, "");
  return { url: linked ?? `${address.origin}${path}`, token };
}

function tokenFor(url: string | undefined, remembered: Target | undefined): string {
  return remembered !== undefined && remembered.url === url ? remembered.token : "";
}

function originOf(address: URL): string {
  return address.origin === "null" ? "http://127.0.0.1:2468" : address.origin;
}

/** `localhost:2468/` → `http://localhost:2468`; undefined when it is no address. */
export function normaliseUrl(text: string): string | undefined {
  const trimmed = text.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  // Some browsers take a space in a host for part of its name.
  if (trimmed === "" || /\s/.test(trimmed) || !URL.canParse(full)) return undefined;
  return /^https?:$/.test(new URL(full).protocol) ? full.replace(/\/+$/, "") : undefined;
}

export function remember(target: Target, memories: readonly Memory[]): void {
  for (const memory of memories) memory.setItem(STORAGE_KEY, JSON.stringify(target));
}

export function forget(memories: readonly Memory[]): void {
  for (const memory of memories) memory.removeItem(STORAGE_KEY);
}

function recall(memory: Memory): Target | undefined {
  try {
    const { url, token } = JSON.parse(memory.getItem(STORAGE_KEY) ?? "null");
    return typeof url === "string" && typeof token === "string" ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
