/** Feared: a reader that goes away in the middle ends the process, or leaves the source open. */
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { streamOf } from "./stream-of.ts";

async function* parts(count: number, onEnd = () => {}): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < count; at += 1) yield Buffer.from([at]);
  } finally {
    onEnd();
  }
}

test("a stream has all bytes", async () => {
  expect([...new Uint8Array(await new Response(streamOf(parts(5))).arrayBuffer())]).toEqual([0, 1, 2, 3, 4]);
  expect(await new Response(streamOf([Buffer.from("a"), Buffer.from("b")])).text()).toBe("ab");
});

test("a source that fails fails the reader", async () => {
  const reason = new Error("no more");
  // biome-ignore lint/correctness/useYield: it fails before.
  const failing = async function* (): AsyncGenerator<Uint8Array> {
    throw reason;
  };
  await expect(streamOf(failing()).getReader().read()).rejects.toBe(reason);
});

test("a stream that is cancelled closes its source, also while a read is under way, and nothing is thrown", async () => {
  const thrown: unknown[] = [];
  const note = (error: unknown) => thrown.push(error);
  process.on("uncaughtException", note).on("unhandledRejection", note);
  try {
    for (let round = 0; round < 50; round += 1) {
      let ends = 0;
      const reader = streamOf(parts(1_000, () => (ends += 1))).getReader();
      for (let read = 0; read <= round % 4; read += 1) await reader.read();
      const last = reader.read();
      await reader.cancel();
      await last;
      expect(ends).toBe(1);
      const source = Readable.from(parts(1_000));
      const other = streamOf(source).getReader();
      const reading = round % 2 === 0 ? other.read() : undefined;
      await other.cancel();
      await reading;
      expect(source.destroyed).toBe(true);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(thrown).toEqual([]);
  } finally {
    process.off("uncaughtException", note).off("unhandledRejection", note);
  }
});
