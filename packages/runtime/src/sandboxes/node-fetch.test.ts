import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { socketFetch } from "./node-fetch.ts";

async function serve(listener: RequestListener): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "socket-fetch-"));
  const path = join(directory, "s.sock");
  const server = createServer(listener).listen(path);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return path;
}

test("method, headers, query and body arrive, and the answer comes back", async () => {
  const fetch = socketFetch(
    await serve((request, response) => {
      const { method, url, headers } = request;
      response.writeHead(201, { "x-two": ["a", "b"] });
      void text(request).then((body) =>
        response.end(JSON.stringify([method, url, headers.host, headers["x-one"], body])),
      );
    }),
  );
  const body = new Blob(["gr", "üß"]).stream();
  const init = { method: "POST", headers: { "x-one": "1" }, body, duplex: "half" as const };
  const response = await fetch("http://localhost/a/b?c=d", init);
  expect([response.status, response.headers.get("x-two")]).toEqual([201, "a, b"]);
  expect(await response.json()).toEqual(["POST", "/a/b?c=d", "localhost", "1", "grüß"]);
});

test("an answer without a body has none, and parts are read as they come", async () => {
  const fetch = socketFetch(
    await serve((request, response) => {
      if (request.url === "/none") return void response.writeHead(204).end();
      response.write("first");
    }),
  );
  expect((await fetch("http://localhost/none")).body).toBe(null);
  const reader = (await fetch("http://localhost/stream")).body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe("first");
  await reader.cancel();
});

test("an abort ends the request, before the answer and in the middle of it", async () => {
  const closed: Promise<unknown>[] = [];
  const asked = new EventTarget();
  const fetch = socketFetch(
    await serve((request: IncomingMessage, response) => {
      closed.push(once(response, "close"));
      if (request.url === "/some") response.write("some");
      asked.dispatchEvent(new Event("asked"));
    }),
  );
  const first = new AbortController();
  const isAsked = once(asked, "asked");
  const waiting = fetch("http://localhost/never", { signal: first.signal });
  await isAsked;
  first.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  const second = new AbortController();
  const response = await fetch("http://localhost/some", { signal: second.signal });
  second.abort(new Error("enough"));
  await expect(response.text()).rejects.toThrow();
  await Promise.all(closed);
});

test("a link to another socket is not followed, and a missing one is a failed fetch", async () => {
  const path = await serve((_, response) => void response.end("secret"));
  renameSync(path, `${path}.other`);
  symlinkSync(`${path}.other`, path);
  await expect(socketFetch(path)("http://localhost/")).rejects.toThrow("fetch failed");
  await expect(socketFetch(`${path}.none`)("http://localhost/")).rejects.toThrow("fetch failed");
});
