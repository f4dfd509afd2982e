import type { ServerResponse } from "node:http";
import { eventRecordsType } from "@sandbox-agent-ts/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  delta,
  frame,
  listen,
  offsetOf,
  openSse,
  respondJson,
  respondProblem,
  sequences,
  sessionEnded,
} from "../__fixtures__/scripted-server.ts";
import type { UniversalEvent } from "../api-types.ts";
import { SandboxAgent } from "../client.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import type { EventLines } from "./event-records.ts";

const quick = { baseMs: 1, maxMs: 5, retries: 3 };

const logOf = (count: number): UniversalEvent[] => [
  ...Array.from({ length: count - 1 }, (_, index) => delta(index + 1)),
  sessionEnded(count),
];

const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Send bytes that may end in the middle of a frame or of a character, then cut the wire. */
function cut(response: ServerResponse, bytes: Buffer): void {
  if (bytes.length === 0) response.destroy();
  else response.write(bytes, () => response.destroy());
}

describe("streamEventLines", () => {
  const line = (sequence: number) => `${JSON.stringify(delta(sequence))}\n`;

  test("gives what arrived together at once, as it was sent, and what came before something unreadable", async () => {
    const baseUrl = await listen((request, response) => {
      openSse(response);
      const frames = logOf(5).slice(offsetOf(request)).map(frame);
      response.end(`${frames.slice(0, 3).join("")}data: broken\n\n`);
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    const batches: (readonly EventLines[])[] = [];
    const read = async () => {
      for await (const batch of client.streamEventLines("s")) batches.push(batch);
    };
    await expect(read()).rejects.toThrow("not JSON");
    expect(batches).toEqual([oneTo(3).map((first) => ({ first, count: 1, lines: line(first), payloads: "" }))]);
  });

  test("gives each once over all connections, and ends with the session", async () => {
    const log = logOf(4);
    const baseUrl = await listen((request, response) => {
      openSse(response);
      const after = offsetOf(request);
      response.end(
        log
          .slice(Math.max(0, after - 1), after + 2)
          .map(frame)
          .join(""),
      );
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    const seen: number[] = [];
    for await (const batch of client.streamEventLines("s")) seen.push(...batch.map(({ first }) => first));
    expect(seen).toEqual(oneTo(4));
  });

  test("reads records where the server has them, resumes behind the last, and notices a gap", async () => {
    const log = [...logOf(6)].map((event) => `${JSON.stringify(event)}\n`);
    const record = (first: number, count: number) => {
      const bytes = Buffer.from(log.slice(first - 1, first - 1 + count).join(""));
      return Buffer.concat([Buffer.from(`${first} ${count} ${bytes.length} 0\n`), bytes]);
    };
    const accepted: unknown[] = [];
    const answers = [
      (after: number) => [record(after + 1, 2), record(after + 3, 1), record(after + 4, 1).subarray(0, -1)],
      (after: number) => [record(after + 1, 3)],
    ];
    const baseUrl = await listen((request, response) => {
      accepted.push(request.headers.accept);
      response.writeHead(200, { "content-type": eventRecordsType });
      response.end(Buffer.concat(answers.shift()!(offsetOf(request))));
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    const seen: EventLines[] = [];
    for await (const batch of client.streamEventLines("s")) seen.push(...batch);
    expect(seen.map(({ first, count }) => [first, count])).toEqual([
      [1, 2],
      [3, 1],
      [4, 3],
    ]);
    expect(seen.map(({ lines }) => lines).join("")).toBe(log.join(""));
    expect(accepted).toEqual(Array(2).fill(expect.stringContaining(eventRecordsType)));
    answers.push(() => [record(2, 1)]);
    await expect(client.streamEventLines("s").next()).rejects.toThrow("Event 1 is missing");
  });
});

describe("streamEvents", () => {
  test("a reader whose connection is cut at random bytes sees 1…n in order, once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.record({ at: fc.nat(3_000), clean: fc.boolean(), overlap: fc.nat(3) }), { maxLength: 8 }),
        async (count, drops) => {
          const log = logOf(count);
          const left = [...drops];
          const baseUrl = await listen((request, response) => {
            const drop = left.shift();
            const after = Math.max(0, offsetOf(request) - (drop?.overlap ?? 0));
            const bytes = Buffer.from(log.slice(after).map(frame).join(""));
            openSse(response);
            if (drop === undefined) response.end(bytes);
            else if (drop.clean && drop.at < bytes.length) response.end(bytes.subarray(0, drop.at));
            else cut(response, bytes.subarray(0, drop.at));
          });
          const client = await SandboxAgent.connect({ baseUrl, reconnect: { ...quick, retries: drops.length } });
          expect(await sequences(client.streamEvents("s"))).toEqual(oneTo(count));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("texts arrive whole when a character is split between two packets", async () => {
    const bytes = Buffer.from(frame(delta(1, "a€b")) + frame(sessionEnded(2)));
    const middle = bytes.indexOf(Buffer.from("€")) + 1;
    const baseUrl = await listen((_, response) => {
      openSse(response);
      response.write(bytes.subarray(0, middle));
      setImmediate(() => response.end(bytes.subarray(middle)));
    });
    const client = await SandboxAgent.connect({ baseUrl });
    const first = (await client.streamEvents("s").next()).value as UniversalEvent;
    expect(first.data).toMatchObject({ delta: "a€b" });
  });

  test("a gap is an error, never hidden", async () => {
    const baseUrl = await listen((_, response) => {
      openSse(response);
      response.end(frame(delta(1)) + frame(delta(3)));
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    await expect(sequences(client.streamEvents("s"))).rejects.toThrow("Event 2 is missing");
  });

  test("a frame that is not an event is an error", async () => {
    const baseUrl = await listen((_, response) => {
      openSse(response);
      response.end("data: nonsense\n\n");
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    await expect(sequences(client.streamEvents("s"))).rejects.toThrow("not JSON");
  });

  test("reading on behind session.ended ends at once", async () => {
    const baseUrl = await listen((request, response) => {
      if (request.url?.includes("/sse")) {
        openSse(response);
        response.end();
      } else respondJson(response, 200, { events: logOf(5).slice(offsetOf(request)), hasMore: false });
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    expect(await sequences(client.streamEvents("s", { offset: 5 }))).toEqual([]);
  });

  test.each([400, 401, 403, 404])("gives up at once on %i", async (status) => {
    let requests = 0;
    const baseUrl = await listen((_, response) => {
      requests += 1;
      respondProblem(response, status, "session_not_found", "There is no such session.");
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    const failure = await sequences(client.streamEvents("s")).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SandboxAgentError);
    expect(failure).toMatchObject({ status, message: "There is no such session." });
    expect(requests).toBe(1);
  });

  test("gives up after as many failures in a row as it may have, and an event starts the count anew", async () => {
    let requests = 0;
    const baseUrl = await listen((request, response) => {
      requests += 1;
      if (requests !== 3) return respondProblem(response, 503, "internal_error", "Starting.");
      openSse(response);
      cut(response, Buffer.from(frame(delta(offsetOf(request) + 1))));
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const event of client.streamEvents("s")) seen.push(event.sequence);
    })();
    await expect(reading).rejects.toMatchObject({ status: 503 });
    expect(seen).toEqual([1]);
    expect(requests).toBe(3 + quick.retries);
  });

  test("gives up on a server that takes its time to fail, too", async () => {
    let requests = 0;
    const baseUrl = await listen((_, response) => {
      requests += 1;
      setTimeout(() => respondProblem(response, 503, "internal_error", "Starting."), 4 * quick.maxMs);
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    await expect(sequences(client.streamEvents("s"))).rejects.toMatchObject({ status: 503 });
    expect(requests).toBe(1 + quick.retries);
  });

  test("tells when it is connected and when it lost the connection, and goes by settings of its own", async () => {
    let requests = 0;
    const baseUrl = await listen((request, response) => {
      requests += 1;
      if (requests <= 2) return respondProblem(response, 503, "internal_error", "Starting.");
      openSse(response);
      const bytes = Buffer.from(
        logOf(2)
          .slice(offsetOf(request), requests - 2)
          .map(frame)
          .join(""),
      );
      return requests === 3 ? cut(response, bytes) : response.end(bytes);
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: { ...quick, retries: 0 } });
    const states: [string, unknown][] = [];
    const onConnection = (state: string, failure?: unknown) => states.push([state, (failure as Error)?.message]);
    expect(await sequences(client.streamEvents("s", {}, { reconnect: { retries: 2 }, onConnection }))).toEqual([1, 2]);
    expect(states).toEqual([
      ["reconnecting", "Starting."],
      ["reconnecting", "Starting."],
      ["live", undefined],
      ["reconnecting", "The event stream's connection was lost."],
      ["live", undefined],
    ]);
  });

  test("an address that answers with something else is not taken for a stream", async () => {
    const baseUrl = await listen((_, response) => respondJson(response, 200, {}));
    const client = await SandboxAgent.connect({ baseUrl, reconnect: quick });
    await expect(sequences(client.streamEvents("s"))).rejects.toThrow("instead of an event stream");
  });

  test("a connection without a byte is given up and made anew", async () => {
    let requests = 0;
    const baseUrl = await listen((_, response) => {
      requests += 1;
      openSse(response);
      if (requests === 1) response.write(frame(delta(1)));
      else response.end(logOf(3).slice(1).map(frame).join(""));
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: { ...quick, stallMs: 50 } });
    expect(await sequences(client.streamEvents("s"))).toEqual([1, 2, 3]);
  });

  test("a server that accepts and never answers counts as silent too", async () => {
    let requests = 0;
    const baseUrl = await listen((_, response) => {
      requests += 1;
      if (requests === 1) return;
      openSse(response);
      response.end(frame(sessionEnded(1)));
    });
    const client = await SandboxAgent.connect({ baseUrl, reconnect: { ...quick, stallMs: 50 } });
    expect(await sequences(client.streamEvents("s"))).toEqual([1]);
  });
});
