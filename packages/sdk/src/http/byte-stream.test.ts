/** Feared: a large file that piles up in memory, and one that was cut but looks whole. */
import { EventEmitter, once } from "node:events";
import { describe, expect, test } from "vitest";
import { listen, respondProblem } from "../__fixtures__/scripted-server.ts";
import { SandboxAgent } from "../client.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { byteStreamOf } from "./byte-stream.ts";

const query = { path: "f" };

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

interface Half {
  readonly finish: () => void;
  readonly cut: () => void;
  readonly closed: Promise<unknown>;
}

/** A server that sends the first half of a file and hands over how to go on. */
async function serveHalf() {
  const sent = new EventEmitter<{ half: [Half] }>();
  const half = once(sent, "half").then(([value]) => value as Half);
  const baseUrl = await listen((_, response) => {
    const closed = once(response, "close");
    response.writeHead(200, { "content-length": 6 }).write("abc", () => {
      sent.emit("half", { finish: () => response.end("def"), cut: () => response.destroy(), closed });
    });
  });
  return { client: await SandboxAgent.connect({ baseUrl }), half };
}

describe("streamFsFile", () => {
  test("gives what has arrived before the rest is there, and ends with the file", async () => {
    const { client, half } = await serveHalf();
    const reader = (await client.streamFsFile(query)).getReader();
    expect((await reader.read()).value).toEqual(new TextEncoder().encode("abc"));
    (await half).finish();
    expect((await reader.read()).value).toEqual(new TextEncoder().encode("def"));
    expect((await reader.read()).done).toBe(true);
  });

  test("a file that is cut is an error, not a shorter file", async () => {
    const { client, half } = await serveHalf();
    const text = textOf(await client.streamFsFile(query));
    (await half).cut();
    const failure = await text.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SandboxAgentError);
    expect(failure).toMatchObject({ status: 0, message: expect.stringContaining("GET /v1/fs/file failed") });
  });

  test("the signal ends it with its reason, and the connection with it", async () => {
    const { client, half } = await serveHalf();
    const abort = new AbortController();
    const text = textOf(await client.streamFsFile(query, abort.signal));
    const { closed } = await half;
    abort.abort(new Error("enough"));
    await expect(text).rejects.toThrow("enough");
    await closed;
  });

  test("whoever stops reading closes the connection", async () => {
    const { client, half } = await serveHalf();
    const stream = await client.streamFsFile(query);
    const { closed } = await half;
    await stream.cancel();
    await closed;
  });

  test("a file that is not there rejects with the problem", async () => {
    const baseUrl = await listen((_, response) => respondProblem(response, 404, "not_found", "There is no f."));
    const client = await SandboxAgent.connect({ baseUrl });
    await expect(client.streamFsFile(query)).rejects.toMatchObject({ status: 404, code: "not_found" });
  });
});

describe("a byte stream", () => {
  test("asks for a chunk only when it is asked for one", async () => {
    let pulls = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls += 1;
          controller.enqueue(new Uint8Array(1));
        },
      },
      { highWaterMark: 0 },
    );
    const reader = byteStreamOf(source, (error) => error).getReader();
    for (let chunk = 1; chunk <= 3; chunk += 1) {
      await reader.read();
      expect(pulls).toBe(chunk);
    }
  });

  test("of no body is empty", async () => {
    expect(await textOf(byteStreamOf(null, (error) => error))).toBe("");
  });
});
