/** The least a Node server can be: what start and idle memory are measured against. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end('{"status":"ok"}');
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once("SIGTERM", () => process.exit(0));
