import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below what systems hand out to those who ask for any port: nobody gets it while its server is down. */
const first = 20_000;
const last = 30_000;
const maxTries = 50;

/** A free port of 127.0.0.1 for a server that is ended and started again at the same address. */
export async function lastingPort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = randomInt(first, last);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${maxTries} ports between ${first} and ${last} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    const listening = once(server, "listening");
    server.listen(port, "127.0.0.1");
    await listening;
  } catch {
    return false;
  }
  const closed = once(server, "close");
  server.close();
  await closed;
  return true;
}
