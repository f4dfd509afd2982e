import type { ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { ServiceCall, ServiceRoute } from "../http-service.ts";

/** A refusal in the form that Daytona's SDK reads. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const notFound = (id: string) => new Refusal(404, `Sandbox with ID or name ${id} not found`);
export const inProgress = () => new Refusal(409, "Sandbox state change in progress");

export function refused(response: ServerResponse, status: number, message: string): void {
  const body = { timestamp: new Date().toISOString(), statusCode: status, error: STATUS_CODES[status], message };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A route whose refusals are answered as such. `where`: method and path. */
export function route(name: string, where: string, work: (call: ServiceCall) => Promise<void>): ServiceRoute {
  const [method, path] = where.split(" ") as [string, string];
  const refuse = (call: ServiceCall, error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    refused(call.response, error.status, error.message);
  };
  return { method, path, name, handle: (call) => work(call).catch((error: unknown) => refuse(call, error)) };
}
