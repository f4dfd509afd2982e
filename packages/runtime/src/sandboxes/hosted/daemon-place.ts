import { type SandboxEndpoint, SandboxProviderError } from "../sandbox-provider.ts";
import { providerError } from "./provider-error.ts";
import { mayHaveHappened } from "./retrying.ts";

/** While nothing there has answered yet, it is asked for again only so often: the daemon may still be starting. */
const askAgainMs = 1_000;
/** A place is left so long before it ends. */
const expiryMarginMs = 30_000;
const refusals = new Set([401, 403, 404, 410, 502, 503]);

interface Place {
  readonly endpoint: SandboxEndpoint;
  readonly askedAt: number;
  /** Whether the daemon answered there. */
  isProven: boolean;
}

/**
 * Where a daemon is reached. A service may move it, and have passes that expire: when somebody else than the daemon answers,
 * the place is asked for again and the request is sent there, once.
 */
export class DaemonPlace {
  readonly #resolve: () => Promise<SandboxEndpoint>;
  #place: Promise<Place> | undefined;
  /** What it came to, once that is known. */
  #known: Place | undefined;

  /** `resolve` rejects where no daemon can be reached. */
  constructor(resolve: () => Promise<SandboxEndpoint>) {
    this.#resolve = resolve;
  }

  async endpoint(): Promise<SandboxEndpoint> {
    const { endpoint } = await this.#current();
    return { ...endpoint, fetch: (input, init) => this.#fetch(endpoint, new Request(input, init), init?.body) };
  }

  forget(): void {
    this.#place = undefined;
    this.#known = undefined;
  }

  async #current(): Promise<Place> {
    this.#place ??= this.#ask();
    const place = await this.#place;
    const { expiresAt = Number.POSITIVE_INFINITY } = place.endpoint;
    const isOver = expiresAt - expiryMarginMs < Date.now() && performance.now() - place.askedAt > askAgainMs;
    return isOver ? this.#instead(place) : place;
  }

  #ask(): Promise<Place> {
    const asked = this.#resolve().then((endpoint) => ({ endpoint, askedAt: performance.now(), isProven: false }));
    asked.then(
      (place) => {
        if (this.#place === asked) this.#known = place;
      },
      () => {
        if (this.#place === asked) this.#place = undefined;
      },
    );
    return asked;
  }

  /** The one after this; many who find out at once ask once. */
  #instead(former: Place): Promise<Place> {
    if (this.#known === former) this.forget();
    this.#place ??= this.#ask();
    return this.#place;
  }

  async #fetch(given: SandboxEndpoint, request: Request, body: RequestInit["body"]): Promise<Response> {
    const place = await this.#current();
    const mayAskAgain = place.isProven || performance.now() - place.askedAt > askAgainMs;
    const isReplayable = body === undefined || body === null || typeof body === "string" || body instanceof Uint8Array;
    const again = isReplayable && mayAskAgain ? request.clone() : undefined;
    try {
      return await send(place, given, request);
    } catch (error) {
      if (request.signal.aborted || !mayAskAgain) throw error;
      const other = await this.#instead(place);
      if (!again || mayHaveArrived(error)) throw error;
      return send(other, given, again);
    }
  }
}

/** The daemon's own answer; rejects with `unavailable` where it is somebody else's. */
async function send(place: Place, given: SandboxEndpoint, request: Request): Promise<Response> {
  const { url, headers, fetch: there = fetch } = place.endpoint;
  const { pathname, search } = new URL(request.url);
  const sent = new Request(new URL(pathname + search, url), request);
  for (const name of Object.keys(given.headers)) sent.headers.delete(name);
  for (const [name, value] of Object.entries(headers)) sent.headers.set(name, value);
  const answer = await there(sent, { redirect: "manual" });
  if (!isRefusal(answer)) {
    place.isProven = true;
    return answer;
  }
  await answer.body?.cancel();
  const detail = `Somebody else than its daemon answers at the sandbox's address, with status ${answer.status}.`;
  throw new NotTheDaemon("unavailable", detail);
}

class NotTheDaemon extends SandboxProviderError {}

const mayHaveArrived = (error: unknown) =>
  !(error instanceof NotTheDaemon) && mayHaveHappened(providerError(undefined, "", { cause: error }));

function isRefusal({ status, headers }: Response): boolean {
  const type = headers.get("content-type") ?? "";
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  const isPage = type.startsWith("text/html");
  return isRedirect || isPage || (refusals.has(status) && !type.startsWith("application/problem+json"));
}
