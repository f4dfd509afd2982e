import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { delta, frame, listen, openSse, sequences } from "../__fixtures__/scripted-server.ts";
import { SandboxAgent } from "../client.ts";

describe("aborting streamEvents", () => {
  test("ends a silent stream without an error and closes the connection", async () => {
    const abort = new AbortController();
    let closed: Promise<unknown> | undefined;
    const baseUrl = await listen((_, response) => {
      closed = once(response, "close");
      openSse(response);
      response.write(frame(delta(1)));
    });
    const client = await SandboxAgent.connect({ baseUrl });
    const events = client.streamEvents("s", {}, abort.signal);
    expect((await events.next()).value).toMatchObject({ sequence: 1 });
    const next = events.next();
    abort.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    await closed;
  });

  test("gives none of the events that had arrived but were not taken yet", async () => {
    const abort = new AbortController();
    const baseUrl = await listen((_, response) => {
      openSse(response);
      response.end([1, 2, 3].map((sequence) => frame(delta(sequence))).join(""));
    });
    const client = await SandboxAgent.connect({ baseUrl });
    const seen: number[] = [];
    for await (const event of client.streamEvents("s", {}, abort.signal)) {
      seen.push(event.sequence);
      if (event.sequence === 2) abort.abort();
    }
    expect(seen).toEqual([1, 2]);
  });

  test("before the first event sends nothing", async () => {
    let requests = 0;
    const baseUrl = await listen((_, response) => {
      requests += 1;
      response.end();
    });
    const client = await SandboxAgent.connect({ baseUrl });
    expect(await sequences(client.streamEvents("s", {}, AbortSignal.abort()))).toEqual([]);
    expect(requests).toBe(0);
  });

  test("ends the wait between two attempts", async () => {
    const abort = new AbortController();
    const baseUrl = await listen((_, response) => {
      response.destroy();
      setImmediate(() => abort.abort());
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: { baseMs: 3_600_000, maxMs: 3_600_000 } });
    expect(await sequences(client.streamEvents("s", {}, abort.signal))).toEqual([]);
  });

  test("leaving the loop closes the connection", async () => {
    let closed: Promise<unknown> | undefined;
    const baseUrl = await listen((_, response) => {
      closed = once(response, "close");
      openSse(response);
      response.write(frame(delta(1)));
    });
    const client = await SandboxAgent.connect({ baseUrl });
    for await (const _ of client.streamEvents("s")) break;
    await closed;
  });
});
