import { streamOf } from "@sandbox-agent-ts/server";

/** An answer whose body is read as the client takes it. */
export function sendBytes(bytes: AsyncIterable<Uint8Array>, headers: Readonly<Record<string, string>>): Response {
  return new Response(streamOf(bytes), { headers });
}
