import type { ServerResponse } from "node:http";

/** What the API answers where it does not do what it is asked, in the form its SDK reads. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const notFound = (what: string) => new Refusal(404, "not_found", `${what} was not found.`);
export const stopped = () => new Refusal(410, "sandbox_stopped", "The sandbox is stopped.");

const codes: Readonly<Record<number, string>> = { 403: "forbidden", 404: "not_found", 429: "rate_limited" };

export function refuse(response: ServerResponse, status: number, message: string, code = codes[status]): void {
  const error = { code: code ?? "internal_server_error", message };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}
