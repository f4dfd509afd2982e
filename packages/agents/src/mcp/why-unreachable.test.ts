import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { whyUnreachable } from "./why-unreachable.ts";

async function listen(): Promise<{ url: string; close: () => Promise<unknown> }> {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => new Promise((resolve) => server.close(resolve)) };
}

test("somebody who only listens is reached, and nobody is not", async () => {
  const server = await listen();
  expect(await whyUnreachable(server.url, {})).toBeUndefined();
  await server.close();
  expect(await whyUnreachable(server.url, {})).toMatch(/^127\.0\.0\.1:\d+ cannot be reached \(.*ECONNREFUSED/);
});

test("behind a proxy nothing is known, and what is no address is told", async () => {
  const { url, close } = await listen();
  onTestFinished(async () => void (await close()));
  expect(await whyUnreachable(url.replace(/:\d+/, ":1"), { HTTPS_PROXY: "http://proxy" })).toBeUndefined();
  expect(await whyUnreachable("nowhere", {})).toBe("Its address is no URL. Correct it.");
});
