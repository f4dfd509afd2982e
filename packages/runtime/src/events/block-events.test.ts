import { daemonEvent } from "@sandbox-agent-ts/protocol";
import { LogReaders } from "@sandbox-agent-ts/store";
import { expect, test } from "vitest";
import { type LogEntry, ownEntry } from "../mirror/encode-event.ts";
import { BlockEvents } from "./block-events.ts";
import { EventBus } from "./event-bus.ts";

const entry: LogEntry = ownEntry(daemonEvent({ type: "error", data: { message: "oh" } }), null);

function unreadable(): never {
  throw new Error("The log is read.");
}

test("as long as nobody listens the log is not read, nor when nothing was missed", () => {
  const bus = new EventBus();
  const failures: unknown[] = [];
  const readers = new LogReaders({ read: unreadable, readRaw: unreadable }, "s", 1);
  const blocks = new BlockEvents("s", bus, readers, (error) => failures.push(error));
  blocks.written([entry]);
  bus.on("session:created", () => {});
  blocks.written([entry]);
  expect(failures).toEqual([]);
});

test("a log that cannot be read is told to whoever keeps the runtime, and nobody waits for ever", async () => {
  const bus = new EventBus();
  const readers = new LogReaders({ read: unreadable, readRaw: unreadable }, "s", 7);
  const told: unknown[] = [];
  bus.on("session:block:start", (event) => told.push(event));
  await new Promise<void>((resolve) => {
    const blocks = new BlockEvents("s", bus, readers, (error) => {
      expect(error).toEqual(new Error("The log is read."));
      resolve();
    });
    blocks.written([entry]);
  });
  expect(told).toEqual([]);
});
