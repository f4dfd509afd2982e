// Feared: a fault that hits another call than the one it was meant for, and a record with a key in it.
import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Fault } from "./faults.ts";
import { HttpService, type HttpServiceOptions } from "./http-service.ts";
import type { ServiceRequest } from "./provider-service.ts";

let service: HttpService;
/** The ids of what was made. */
let made: string[];
let heard: ServiceRequest[];

const options: HttpServiceOptions = {
  routes: [
    {
      method: "POST",
      path: "/machines",
      name: "create",
      async handle(call) {
        const { id } = await call.json<{ id: string }>();
        if (id === "broken") throw new Error("It fell over.");
        made.push(id);
        call.answer(201, { id });
      },
    },
    { method: "GET", path: "/machines/:id", name: "get", handle: (call) => call.answer(200, call.params) },
    {
      method: "PUT",
      path: "/machines/:id/files/*path",
      name: "write",
      handle: async (call) =>
        call.answer(200, { ...call.params, mode: call.query.get("mode"), size: (await call.bytes()).length }),
    },
    { method: "DELETE", path: "/machines/:id", name: "destroy", handle: (call) => call.answer(204) },
  ],
  words: {
    unauthorized: (response) => void response.writeHead(401).end("Who are you?"),
    refused: (response, status, message) => void response.writeHead(status).end(`No: ${message}`),
  },
  secretHeaders: ["x-key"],
  isAuthorized: ({ headers }) => headers["x-key"] === "right",
};

const open = async (more: Partial<HttpServiceOptions> = {}) => {
  const opened = new HttpService({ ...options, onRequest: (request) => heard.push(request), ...more });
  await opened.listen();
  onTestFinished(() => opened.close());
  return opened;
};

beforeEach(async () => {
  made = [];
  heard = [];
  service = await open();
});

const ask = (method: string, path: string, body?: string | Uint8Array, headers = {}) => {
  const all = { "x-key": "right", ...headers };
  return fetch(`${service.url}${path}`, { method, headers: all, redirect: "manual", ...(body ? { body } : {}) });
};
const create = (id: string) => ask("POST", "/machines", JSON.stringify({ id }));
const planned = (fault: Fault, more = {}) => service.faults.plan({ call: "create", fault, ...more });

describe("routes", () => {
  it("take what stands in the path, decoded, and the rest of it", async () => {
    expect(await (await ask("GET", "/machines/a%2Fb")).json()).toEqual({ id: "a/b" });
    const written = await ask("PUT", "/machines/a/files/home/user/x?mode=755", Buffer.from([0, 1, 2]));
    expect(await written.json()).toEqual({ id: "a", path: "home/user/x", mode: "755", size: 3 });
    expect((await ask("DELETE", "/machines/a")).status).toBe(204);
  });

  it("are not found in the service's words, nor open to a wrong key", async () => {
    const missing = await ask("PATCH", "/machines/a");
    expect([missing.status, await missing.text()]).toEqual([404, "No: There is no such route."]);
    const stranger = await ask("GET", "/machines/a", undefined, { "x-key": "wrong" });
    expect([stranger.status, await stranger.text()]).toEqual([401, "Who are you?"]);
  });

  it("that fall over answer 500, and the service goes on", async () => {
    const broken = await create("broken");
    expect([broken.status, await broken.text()]).toEqual([500, "No: Error: It fell over."]);
    expect((await create("a")).status).toBe(201);
  });

  it("may have others before them and behind them", async () => {
    service = await open({
      before: ({ url }, response) => url === "/login" && Boolean(response.end("sign in")),
      otherwise: ({ url }, response) => url === "/health" && Boolean(response.end("well")),
    });
    expect(await (await ask("GET", "/login")).text()).toBe("sign in");
    expect(await (await ask("GET", "/health")).text()).toBe("well");
    expect((await ask("GET", "/other")).status).toBe(404);
    expect(service.requests).toEqual([]);
  });
});

describe("the record", () => {
  it("has each request with its body, and no key", async () => {
    await create("a");
    await ask("PUT", "/machines/a/files/x", Buffer.from("bytes"), { "content-type": "application/octet-stream" });
    expect(service.requests).toMatchObject([
      { method: "POST", path: "/machines", headers: { "x-key": "(hidden)" }, body: '{"id":"a"}' },
      { method: "PUT", path: "/machines/a/files/x", body: "" },
    ]);
    expect(heard).toEqual(service.requests);
    expect(JSON.stringify(heard)).not.toContain("right");
  });

  it("has those that were refused, and those that went wrong", async () => {
    await ask("GET", "/machines/a", undefined, { "x-key": "wrong" });
    planned({ kind: "status", status: 503 });
    await create("a");
    expect(service.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
  });
});

describe("faults", () => {
  it("refuse as often as they are to, after as many as they let pass", async () => {
    planned({ kind: "status", status: 429, retryAfterSeconds: 7 }, { times: 2, after: 1 });
    const answers = [];
    for (const id of ["a", "b", "c", "d"]) answers.push(await create(id));
    expect(answers.map(({ status }) => status)).toEqual([201, 429, 429, 201]);
    expect(answers[1]!.headers.get("retry-after")).toBe("7");
    expect(await answers[1]!.text()).toBe("No: Too many requests.");
    expect([made, service.faults.happened]).toEqual([
      ["a", "d"],
      ["status", "status"],
    ]);
  });

  it("answer with a body of their own", async () => {
    planned({ kind: "status", status: 502, body: "<html>bad gateway" });
    const answer = await create("a");
    expect([answer.status, await answer.text()]).toEqual([502, "<html>bad gateway"]);
  });

  it("lose the answer of what was done", async () => {
    planned({ kind: "lost-answer" });
    await expect(create("a")).rejects.toThrow("fetch failed");
    planned({ kind: "lost-answer", status: 504 });
    expect((await create("b")).status).toBe(504);
    expect(made).toEqual(["a", "b"]);
  });

  it("hang until they are released, and nothing is done", async () => {
    planned({ kind: "hang" });
    const hanging = expect(create("a")).rejects.toThrow("fetch failed");
    await expect.poll(() => service.faults.hanging).toBe(1);
    service.faults.release();
    await hanging;
    expect([made, service.faults.hanging]).toEqual([[], 0]);
  });

  it("reset the connection, ask for a login, or call the key expired", async () => {
    planned({ kind: "reset" });
    await expect(create("a")).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    planned({ kind: "login-page" });
    const redirect = await create("a");
    expect([redirect.status, redirect.headers.get("location")]).toEqual([307, "/login"]);
    planned({ kind: "expired-key" });
    expect((await create("a")).status).toBe(401);
    expect(made).toEqual([]);
  });

  it("know a call by its name, its machine or its request", async () => {
    service.faults.plan({ call: "get", fault: { kind: "status", status: 500 } });
    service.faults.plan({ call: ({ id }) => id === "b", fault: { kind: "status", status: 501 } });
    service.faults.plan({
      call: ({ request }) => request.headers["x-try"] === "2",
      fault: { kind: "status", status: 502 },
    });
    const statuses = [
      await create("a"),
      await ask("GET", "/machines/a"),
      await ask("DELETE", "/machines/b"),
      await ask("DELETE", "/machines/a", undefined, { "x-try": "2" }),
      await ask("GET", "/machines/b"),
    ].map(({ status }) => status);
    expect(statuses).toEqual([201, 500, 501, 502, 200]);
  });

  it("are forgotten when they are cleared", async () => {
    planned({ kind: "status", status: 500 }, { times: 9 });
    service.faults.clear();
    expect((await create("a")).status).toBe(201);
  });
});

it("says where it cannot listen", async () => {
  const other = new HttpService(options);
  await expect(other.listen(service.port)).rejects.toMatchObject({ code: "EADDRINUSE" });
});

it("ends with all its connections, hanging ones too", async () => {
  planned({ kind: "hang" });
  const hanging = expect(create("a")).rejects.toThrow("fetch failed");
  const idle = connect(service.port, "127.0.0.1");
  await once(idle, "connect");
  await expect.poll(() => service.faults.hanging).toBe(1);
  await Promise.all([service.close(), once(idle, "close"), hanging]);
});
