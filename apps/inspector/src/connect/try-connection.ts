import type { Target } from "./target.ts";

/** What stands between this page and a daemon. */
export type Trouble =
  | { readonly kind: "refused" }
  | { readonly kind: "cors" }
  | { readonly kind: "mixed" }
  | { readonly kind: "token"; readonly isMissing: boolean; readonly server: "daemon" | "runtime" }
  | { readonly kind: "host"; readonly detail: string }
  | { readonly kind: "stranger"; readonly detail: string }
  | { readonly kind: "old"; readonly version: string | undefined };

export type Attempt =
  | { readonly ok: true; readonly version: string }
  | { readonly ok: false; readonly trouble: Trouble };

const PATIENCE_MS = 8_000;
/** Older daemons have no interrupt, no status and no requests in their list of sessions. */
const OLDEST_DAEMON = "0.1.0";

interface Surroundings {
  readonly fetch: typeof globalThis.fetch;
  readonly pageProtocol: string;
}

/** Knock at a daemon's door, and find out what is wrong when it stays closed. */
export async function tryConnection({ url, token }: Target, { fetch, pageProtocol }: Surroundings): Promise<Attempt> {
  const health = await answerOf(() => fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(PATIENCE_MS) }));
  if (health === undefined) return failed(await whySilent(url, fetch, pageProtocol));
  const body = await jsonOf(health);
  if (!health.ok || body?.status !== "ok")
    return failed({ kind: "stranger", detail: `It answered with ${health.status}.` });
  const { version } = body;
  if (typeof version !== "string" || isOlder(version, OLDEST_DAEMON)) {
    return failed({ kind: "old", version: typeof version === "string" ? version : undefined });
  }
  const headers = token === "" ? {} : { authorization: `Bearer ${token}` };
  const agents = await answerOf(() => fetch(`${url}/v1/agents`, { headers, signal: AbortSignal.timeout(PATIENCE_MS) }));
  if (agents === undefined) return failed({ kind: "cors" });
  if (agents.ok) return { ok: true, version };
  if (agents.status !== 401) return failed(await whyRefused(agents));
  const info = await answerOf(() => fetch(`${url}/`, { signal: AbortSignal.timeout(PATIENCE_MS) }));
  const server = info && (await jsonOf(info))?.kind === "runtime" ? "runtime" : "daemon";
  return failed({ kind: "token", isMissing: token === "", server });
}

async function whyRefused(response: Response): Promise<Trouble> {
  const detail = String((await jsonOf(response))?.detail ?? `It answered with ${response.status}.`);
  return { kind: response.status === 403 ? "host" : "stranger", detail };
}

/** A request whose answer nobody may read gets through wherever something listens: then it is only CORS. */
async function whySilent(url: string, fetch: Surroundings["fetch"], pageProtocol: string): Promise<Trouble> {
  if (pageProtocol === "https:" && url.startsWith("http:") && !isLoopback(url)) return { kind: "mixed" };
  const blind = await answerOf(() =>
    fetch(`${url}/v1/health`, { mode: "no-cors", signal: AbortSignal.timeout(PATIENCE_MS) }),
  );
  return { kind: blind === undefined ? "refused" : "cors" };
}

function failed(trouble: Trouble): Attempt {
  return { ok: false, trouble };
}

async function answerOf(ask: () => Promise<Response>): Promise<Response | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

async function jsonOf(response: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

export function isOlder(version: string, than: string): boolean {
  const numbers = (text: string): number[] =>
    text
      .split(/[.+-]/)
      .slice(0, 3)
      .map((part) => Number(part) || 0);
  const [a, b] = [numbers(version), numbers(than)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
