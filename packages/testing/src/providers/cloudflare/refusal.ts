import type { ServerResponse } from "node:http";

/** What the Worker says where it does not do what it is asked. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const unknown = (id: string) => new Refusal(404, "not_found", `There is no box "${id}".`);

export const gone = (id: string, why: string) => new Refusal(410, "gone", `The box "${id}" is gone. ${why}`);

export const wrong = (message: string) => new Refusal(400, "invalid_request", message);

export function refuse(response: ServerResponse, status: number, message: string, code = "failed"): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error: { code, message } }));
}
