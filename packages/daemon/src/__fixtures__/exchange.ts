import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

export interface Exchange {
  readonly method: string;
  /** As it goes over the wire. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** One request with exactly these words. The body of a stream is not read: it may have no end. */
export async function exchange(
  url: string,
  { method, path, headers = {}, body }: Exchange,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { hostname, port } = new URL(url);
  // Node announces no length for methods that usually have no body, and the body would pass for another request.
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const sending = request({ hostname, port, method, path, headers: { ...headers, ...length }, agent: false });
  sending.end(body);
  const [response] = (await once(sending, "response")) as [IncomingMessage];
  const { statusCode: status = 0, headers: answered } = response;
  if (answered["content-type"] === "text/event-stream") {
    response.destroy();
    return { status, headers: answered, text: "" };
  }
  return { status, headers: answered, text: await text(response) };
}
