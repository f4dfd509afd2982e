/** The least a broadcast can do: an event a millisecond, made into bytes once and written to everybody. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const readers = new Set<ServerResponse>();
let sequence = 0;

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(":\n\n");
    readers.add(response);
    response.once("close", () => readers.delete(response));
    return;
  }
  response.writeHead(202).end();
  request.resume();
  sequence = 0;
  const timer = setInterval(() => {
    sequence += 1;
    const data = { item_id: "i", delta: "x".repeat(20) };
    const event = { event_id: `evt_${sequence}`, sequence, time: new Date().toISOString(), type: "item.delta", data };
    const bytes = Buffer.from(`id: ${sequence}\ndata: ${JSON.stringify(event)}\n\n`);
    for (const reader of readers) reader.write(bytes);
    if (sequence === 1000) clearInterval(timer);
  }, 1);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once("SIGTERM", () => process.exit(0));
