/** Feared: a client that dies with a token which was replaced, or sends one daemon's token to another. */
import type { IncomingMessage, ServerResponse } from "node:http";
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
import { SandboxAgent } from "../client.ts";
import type { DaemonPlace } from "./http.ts";

/** A daemon that takes one token and remembers which ones it was sent. */
async function daemonWith(token: string, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const tokens: (string | undefined)[] = [];
  const baseUrl = await listen((request, response) => {
    tokens.push(request.headers.authorization?.replace("Bearer ", ""));
    if (tokens.at(-1) === token) answer(request, response);
    else respondProblem(response, 401, "token_invalid", "The token is wrong.");
  });
  return { baseUrl, tokens };
}

const healthy = (_: IncomingMessage, response: ServerResponse): void => respondJson(response, 200, { status: "ok" });
const reconnect = { baseMs: 1, maxMs: 2, retries: 5 };

describe("locate", () => {
  test("says where the daemon is, and the client tells it", async () => {
    const { baseUrl } = await daemonWith("T", healthy);
    const client = await SandboxAgent.connect({ locate: async () => ({ baseUrl, token: "T" }) });
    expect([client.baseUrl, client.token]).toEqual([baseUrl, "T"]);
    expect(await client.getHealth()).toEqual({ status: "ok" });
  });

  test("is asked again when a token was refused, and the call is made once more", async () => {
    const { baseUrl, tokens } = await daemonWith("new", healthy);
    const answers = ["old", "old", "new"];
    const client = await SandboxAgent.connect({ locate: () => ({ baseUrl, token: answers.shift()! }) });
    expect(await client.getHealth()).toEqual({ status: "ok" });
    expect(tokens).toEqual(["old", "new"]);
  });

  test("that knows no other token leaves it at the refusal", async () => {
    const { baseUrl, tokens } = await daemonWith("new", healthy);
    const client = await SandboxAgent.connect({ locate: () => ({ baseUrl, token: "old" }) });
    await expect(client.getHealth()).rejects.toMatchObject({ status: 401 });
    expect(tokens).toEqual(["old"]);
  });

  test("lets a stream go on at another address with another token, also after a time without a daemon", async () => {
    const log = [delta(1), delta(2), sessionEnded(3)];
    const first = await daemonWith("A", (_, response) => {
      openSse(response);
      response.write(frame(log[0]!), () => response.destroy());
    });
    const second = await daemonWith("B", (request, response) => {
      openSse(response);
      response.end(log.slice(offsetOf(request)).map(frame).join(""));
    });
    const places: (DaemonPlace | undefined)[] = [
      { ...first, token: "A" },
      { ...first, token: "A" },
      undefined,
      undefined,
      { ...second, token: "B" },
    ];
    const locate = (): DaemonPlace => {
      const place = places.length > 1 ? places.shift() : places[0];
      if (place === undefined) throw new Error("none runs");
      return place;
    };
    const client = await SandboxAgent.connect({ locate, reconnect });
    expect(await sequences(client.streamEvents("s"))).toEqual([1, 2, 3]);
    expect([first.tokens, second.tokens]).toEqual([["A"], ["B"]]);
    expect(client.baseUrl).toBe(second.baseUrl);
  });
});
