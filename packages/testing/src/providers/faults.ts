import type { IncomingMessage, ServerResponse } from "node:http";

/** What goes wrong with a request to a fake service. */
export type Fault =
  /** Refused, e.g. 429 with `retryAfterSeconds`, or 503. */
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number; readonly body?: string }
  /** The work is done, and the answer is this one: who asked does not know what became of it. */
  | { readonly kind: "lost-answer"; readonly status?: number }
  /** Never answered; the work is not done. Let go with `release`, or when the service is closed. */
  | { readonly kind: "hang" }
  /** The connection is reset before anything is read. */
  | { readonly kind: "reset" }
  /** What a proxy in front answers to who is not signed in, with 307. */
  | { readonly kind: "login-page" }
  /** What the service says to an expired or a wrong key. */
  | { readonly kind: "expired-key" };

export interface FaultPlan {
  /** Which calls: by name (`create`, `destroy`, `run`, …), as the fake service names them, or by looking at the request. */
  readonly call: string | ((call: FaultyCall) => boolean);
  readonly fault: Fault;
  /** How many of them, from now on. Default: one. */
  readonly times?: number | undefined;
  /** Let so many pass first. */
  readonly after?: number | undefined;
}

export interface FaultyCall {
  readonly name: string;
  /** The machine that it is about, where it is about one. */
  readonly id: string | undefined;
  readonly request: FaultyRequest;
}

/** A request as HTTP/1 and HTTP/2, and gRPC with it, have it. */
export type FaultyRequest = Pick<IncomingMessage, "method" | "url" | "headers">;

/** What faults need of an answer: a `ServerResponse`, also one of HTTP/2. */
export interface FaultyResponse {
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers?: Record<string, string>): { end(body: string): unknown };
  once(event: "close", listener: () => void): unknown;
  readonly socket: { destroy(): unknown; resetAndDestroy(): unknown } | null;
}

interface Planned {
  readonly plan: FaultPlan;
  passes: number;
  left: number;
}

/** The words of a service for what is common to all; each service says it in its own way. */
export interface FaultWords<Response extends FaultyResponse = ServerResponse> {
  /** The answer to a key that is not, or no longer, right. */
  unauthorized(response: Response): void;
  /** A refusal with a status; the headers are set already. */
  refused(response: Response, status: number, message: string): void;
}

/** Scripted faults of a fake service: the next calls that match go wrong, then all is well again. */
export class Faults {
  readonly #planned: Planned[] = [];
  readonly #hanging = new Set<FaultyResponse>();
  readonly #seen: Fault["kind"][] = [];

  plan(plan: FaultPlan): void {
    this.#planned.push({ plan, passes: plan.after ?? 0, left: plan.times ?? 1 });
  }

  /** What has happened so far, in order. */
  get happened(): readonly Fault["kind"][] {
    return this.#seen;
  }

  /** Calls that wait for ever. */
  get hanging(): number {
    return this.#hanging.size;
  }

  /** The fault of this call; each is counted off. */
  next(call: FaultyCall): Fault | undefined {
    for (const planned of this.#planned) {
      const { call: wanted, fault } = planned.plan;
      const isMeant = typeof wanted === "string" ? wanted === call.name : wanted(call);
      if (!isMeant || planned.left === 0) continue;
      if (planned.passes > 0) {
        planned.passes -= 1;
        continue;
      }
      planned.left -= 1;
      this.#seen.push(fault.kind);
      return fault;
    }
    return undefined;
  }

  /**
   * Answer a request as its fault wants it; false where the service is to do its work. After `lost-answer` it does, with a
   * response that goes nowhere: what this answers with `true` in `isLost`.
   */
  apply<Response extends FaultyResponse>(
    fault: Fault | undefined,
    response: Response,
    words: FaultWords<Response>,
  ): boolean {
    if (fault === undefined || fault.kind === "lost-answer") return false;
    if (fault.kind === "hang") {
      this.#hanging.add(response);
      response.once("close", () => this.#hanging.delete(response));
    } else if (fault.kind === "reset") response.socket?.resetAndDestroy();
    else if (fault.kind === "login-page") loginPage(response);
    else if (fault.kind === "expired-key") words.unauthorized(response);
    else {
      const { status, retryAfterSeconds, body } = fault;
      if (retryAfterSeconds !== undefined) response.setHeader("retry-after", String(retryAfterSeconds));
      if (body !== undefined) response.writeHead(status).end(body);
      else words.refused(response, status, status === 429 ? "Too many requests." : "It does not work at the moment.");
    }
    return true;
  }

  /** Break the connections of all calls that wait. */
  release(): void {
    for (const response of this.#hanging) response.socket?.destroy();
    this.#hanging.clear();
  }

  clear(): void {
    this.#planned.length = 0;
    this.release();
  }
}

function loginPage(response: FaultyResponse): void {
  const answer = response.writeHead(307, { location: "/login", "content-type": "text/html" });
  answer.end("<!doctype html><title>Sign in</title><p>Sign in to continue.");
}
