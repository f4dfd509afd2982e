import { Agent, request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { listen, portOf, stopListening } from "./listen.ts";

let stop: () => Promise<void> = async () => {};
afterEach(() => stop());

const anybody = {
  host: "127.0.0.1",
  port: 0,
  admit: () => {},
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

// The fear: who takes sockets refuses clients that offer HTTP/2 with every request, as some libraries do.
test("an offer of another protocol that nobody takes is passed over, and the connection goes on", async () => {
  const taken: string[] = [];
  const server = await listen({
    ...anybody,
    handler: async () => async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      response.end(`${request.method} ${request.url} ${request.headers["x-own"]} ${request.headers.upgrade} ${body}`);
    },
    upgrade: (request) => {
      taken.push(request.url ?? "");
      return false;
    },
  });
  stop = () => stopListening(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = {
        connection: "Upgrade, HTTP2-Settings",
        upgrade: "h2c",
        "http2-settings": "AAMAAABk",
        "x-own": "1",
      };
      const sent = request(
        { agent, port: portOf(server), host: "127.0.0.1", path, method: "POST", headers },
        (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += String(chunk);
          });
          response.once("end", () => resolve(text));
        },
      );
      sent.on("error", reject);
      sent.end("hello");
    });
  expect(await post("/v1/a")).toBe("POST /v1/a 1 undefined hello");
  expect(await post("/v1/b")).toBe("POST /v1/b 1 undefined hello");
  expect(taken).toEqual(["/v1/a", "/v1/b"]);
  agent.destroy();
});
