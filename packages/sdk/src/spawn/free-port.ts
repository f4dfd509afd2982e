import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A port that nobody listens on at this moment. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
