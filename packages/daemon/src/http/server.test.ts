import { afterEach, expect, test } from "vitest";
import { listen, portOf, stopListening } from "./server.ts";

let stop: () => Promise<void> = async () => {};
afterEach(() => stop());

const anybody = {
  host: "127.0.0.1",
  port: 0,
  token: null,
  cors: { origins: [], methods: [], headers: [], credentials: false },
  health: () => ({ status: "ok" }) as const,
  onRequest: () => {},
  onError: () => {},
};

// The fear: whoever follows a session delays every stop of the daemon.
test("a stream that ends while the server stops does not keep it", async () => {
  let end: () => void = () => {};
  const server = await listen({
    ...anybody,
    handler: async () => async (_, response) => {
      response.write("begun");
      end = () => response.end();
    },
  });
  const reader = (await fetch(`http://127.0.0.1:${portOf(server)}/v1/agents`)).text();
  const stopped = stopListening(server, 600_000);
  end();
  await stopped;
  expect(await reader).toBe("begun");
});

// The fear: one failed start of the routes, say for a full disk, leaves a daemon that refuses everything for ever.
test("routes that could not be loaded are loaded by the next request", async () => {
  let attempts = 0;
  const server = await listen({
    ...anybody,
    handler: async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("not now");
      return async (_, response) => response.end("here");
    },
  });
  stop = () => stopListening(server);
  const url = `http://127.0.0.1:${portOf(server)}/v1/agents`;
  expect((await fetch(url)).status).toBe(500);
  expect(await (await fetch(url)).text()).toBe("here");
});
