import { expect, test } from "vitest";
import type { JsonRpcCall } from "../json-rpc/json-rpc-message.ts";
import { CompletedCalls } from "./completed-calls.ts";

const call = (method: string): JsonRpcCall => ({ method, params: {}, raw: method });

function deferred() {
  let resolve!: (call: JsonRpcCall) => void;
  const promise = new Promise<JsonRpcCall>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function make(slow: Record<string, Promise<JsonRpcCall>>) {
  const delivered: string[][] = [];
  const failures: unknown[] = [];
  const calls = new CompletedCalls({
    complete: ({ method }) => slow[method],
    deliver: (some) => delivered.push(some.map(({ method }) => method)),
    failed: (error) => failures.push(error),
  });
  return { calls, delivered, failures };
}

test("what misses nothing passes at once", () => {
  const { calls, delivered } = make({});
  calls.take([call("a"), call("b")]);
  expect(delivered).toEqual([["a", "b"]]);
});

test("what comes behind an incomplete call waits for it, and the order stays", async () => {
  const { promise, resolve } = deferred();
  const { calls, delivered } = make({ slow: promise });
  calls.take([call("a")]);
  calls.take([call("slow")]);
  calls.take([call("b")]);
  const settled = calls.settled();
  expect(delivered).toEqual([["a"]]);
  resolve(call("completed"));
  await settled;
  expect(delivered).toEqual([["a"], ["completed"], ["b"]]);
  calls.take([call("c")]);
  await calls.settled();
  expect(delivered.at(-1)).toEqual(["c"]);
});

test("what cannot be completed is delivered as it came", async () => {
  const { calls, delivered, failures } = make({ slow: Promise.reject(new Error("no file")) });
  calls.take([call("slow")]);
  await calls.settled();
  expect(delivered).toEqual([["slow"]]);
  expect(failures).toEqual([new Error("no file")]);
});
