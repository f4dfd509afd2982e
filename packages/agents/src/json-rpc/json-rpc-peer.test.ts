import { expect, test, vi } from "vitest";
import { JsonRpcError } from "./json-rpc-error.ts";
import type { JsonRpcCall } from "./json-rpc-message.ts";
import { JsonRpcPeer } from "./json-rpc-peer.ts";

function makePeer(versioned?: boolean) {
  const written: unknown[] = [];
  const calls: JsonRpcCall[][] = [];
  const unreadable: string[] = [];
  const peer = new JsonRpcPeer({
    writeLine: async (line) => void written.push(JSON.parse(line)),
    onCalls: (batch) => void calls.push([...batch]),
    onUnreadable: (line) => void unreadable.push(line),
    ...(versioned === undefined ? {} : { versioned }),
  });
  return { peer, written, calls, unreadable };
}

test("answers find their requests in any order", async () => {
  const { peer, written } = makePeer();
  const answers = [peer.request("a", {}), peer.request("b", { x: 1 })];
  peer.takeLines(['{"id":2,"result":"second"}', '{"jsonrpc":"2.0","id":1,"result":"first"}']);
  expect(await Promise.all(answers)).toEqual(["first", "second"]);
  expect(written).toEqual([
    { jsonrpc: "2.0", id: 1, method: "a", params: {} },
    { jsonrpc: "2.0", id: 2, method: "b", params: { x: 1 } },
  ]);
});

test("a refusal rejects with its code, and an answer nobody waits for harms nothing", async () => {
  const { peer } = makePeer();
  const refused = peer.request("a", {});
  peer.takeLines(['{"id":9,"result":1}', '{"id":1,"error":{"code":-32600,"message":"no such thread"}}']);
  await expect(refused).rejects.toEqual(new JsonRpcError("a", { code: -32600, message: "no such thread" }));
  await expect(refused).rejects.toMatchObject({ code: -32600, method: "a" });
});

test("calls of one read come as one batch, requests with their id even when it is 0", () => {
  const { peer, calls, unreadable } = makePeer(false);
  const lines = ['{"method":"note","params":{"n":1}}', "", "garbage", '{"method":"ask","id":0,"params":{}}', "[1]"];
  peer.takeLines(lines);
  expect(calls).toEqual([
    [
      { method: "note", params: { n: 1 }, raw: lines[0] },
      { method: "ask", params: {}, id: 0, raw: lines[3] },
    ],
  ]);
  expect(unreadable).toEqual(["garbage", "[1]"]);
});

test("a reply is handed out only when the calls that came with it were taken", async () => {
  const peer = new JsonRpcPeer({
    writeLine: async () => {},
    onCalls: () => {
      throw new Error("cannot be taken");
    },
    onUnreadable: () => {},
  });
  const asked = peer.request("prompt", {});
  expect(() => peer.takeLines(['{"method":"said"}', '{"id":1,"result":"over"}'])).toThrow("cannot be taken");
  peer.close(new Error("gone"));
  await expect(asked).rejects.toThrow("gone");
});

test.each([
  ['{"id":1,"error":"no"}', "no", 0],
  ['{"id":1,"error":{"code":"7","message":{"a":1}}}', '{"a":1}', 0],
  ['{"id":1,"error":{"code":7}}', '{"code":7}', 7],
])("whatever stands in the place of an error refuses the request: %s", async (line, message, code) => {
  const { peer } = makePeer();
  const asked = peer.request("a", {});
  peer.takeLines([line]);
  await expect(asked).rejects.toMatchObject({ message, code });
});

test("our side answers, refuses and notifies, without a version where there is none", async () => {
  const { peer, written } = makePeer(false);
  await peer.respond(0, { ok: true });
  await peer.refuse(1, { code: -32601, message: "unknown" });
  await peer.notify("initialized");
  expect(written).toEqual([
    { id: 0, result: { ok: true } },
    { id: 1, error: { code: -32601, message: "unknown" } },
    { method: "initialized" },
  ]);
});

test("a request that is never answered gives up in its time", async () => {
  vi.useFakeTimers();
  try {
    const { peer } = makePeer();
    const asked = expect(peer.request("slow", {}, { timeoutMs: 500 })).rejects.toMatchObject({ code: "timeout" });
    await vi.advanceTimersByTimeAsync(500);
    await asked;
  } finally {
    vi.useRealTimers();
  }
});

test("a lost peer rejects what waits and what comes later", async () => {
  const { peer } = makePeer();
  const waiting = expect(peer.request("a", {})).rejects.toThrow("gone");
  peer.close(new Error("gone"));
  await waiting;
  await expect(peer.request("b", {})).rejects.toThrow("gone");
  await expect(peer.notify("c")).rejects.toThrow("gone");
});
