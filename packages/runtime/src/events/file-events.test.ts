/** Feared: a sandbox that is asked for changes nobody wants, one that floods who listens, and changes that are lost without a word. */
import type { FsChange } from "@sandbox-agent-ts/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { EventBus } from "./event-bus.ts";
import { FileEvents, fileEventNames } from "./file-events.ts";

const file = (path: string) => ({ path, entryType: "file" as const });
const change = (type: "created" | "modified" | "deleted", path: string): FsChange => ({ type, ...file(path) });
const ready: FsChange = { type: "ready" };
const never = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Events of a session whose sandbox tells this, once for each time it is asked. */
function eventsOf(stream: (signal: AbortSignal) => AsyncIterable<FsChange>) {
  const bus = new EventBus();
  const asked: AbortSignal[] = [];
  const untrusted: string[] = [];
  const sandbox = {
    id: "sbx",
    streamWorkspaceFileChanges: (signal: AbortSignal) => {
      asked.push(signal);
      return stream(signal);
    },
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const options = { sessionId: "s", bus, log, sandbox, onUntrusted: (reason: string) => untrusted.push(reason) };
  const events = new FileEvents(options);
  onTestFinished(() => events.close());
  const told: string[] = [];
  const listen = (sessionId?: string) => {
    const stops = fileEventNames.map((name) =>
      bus.on(
        name,
        (event) => void told.push([name.split(":")[2], ...("file" in event ? [event.file.path] : [])].join(" ")),
        sessionId,
      ),
    );
    return () => {
      for (const stop of stops) stop();
    };
  };
  return { events, asked, untrusted, told, listen };
}

test("the sandbox is asked while somebody listens to its session, and no longer", () => {
  const { events, asked, listen } = eventsOf(async function* (signal) {
    yield ready;
    await never(signal);
  });
  listen("other");
  expect(asked).toEqual([]);
  const [stopOne, stopAll] = [listen("s"), listen()];
  expect(asked).toHaveLength(1);
  stopOne();
  expect(asked[0]?.aborted).toBe(false);
  stopAll();
  expect(asked[0]?.aborted).toBe(true);
  listen("s");
  expect(asked).toHaveLength(2);
  events.close();
  expect(asked[1]?.aborted).toBe(true);
});

test("changes of one path that come together are one, and what is lost is a resync", async () => {
  const { told, listen } = eventsOf(async function* (signal) {
    yield ready;
    yield change("created", "a");
    yield change("modified", "a");
    yield change("created", "passing");
    yield change("deleted", "passing");
    await vi.waitFor(() => expect(told).toContain("created a"));
    yield change("modified", "before");
    yield { type: "overflow" };
    yield change("deleted", "a");
    await vi.waitFor(() => expect(told).toContain("deleted a"));
    for (let n = 0; n < 2_001; n += 1) yield change("created", `many/${n}`);
    yield change("modified", "last");
    await never(signal);
  });
  listen("s");
  await vi.waitFor(() => expect(told).toContain("modified last"));
  expect(told).toEqual(["resync", "created a", "resync", "deleted a", "resync", "modified last"]);
});

test("a sandbox that tells without end is read in pieces", async () => {
  let sent = 0;
  const { told, listen } = eventsOf(async function* () {
    for (;;) {
      sent += 1;
      yield change(sent % 2 === 0 ? "deleted" : "created", "a");
    }
  });
  const stop = listen("s");
  await new Promise((resolve) => setImmediate(resolve));
  stop();
  expect(sent).toBe(20_000);
  expect(told).toEqual([]);
});

test("a stream that breaks is opened again", async () => {
  let opened = 0;
  const { told, listen } = eventsOf(async function* (signal) {
    yield ready;
    if (opened++ > 0) return never(signal);
    await vi.waitFor(() => expect(told).toEqual(["resync"]));
    throw new Error("The connection broke.");
  });
  listen();
  await vi.waitFor(() => expect(told).toEqual(["resync", "resync"]), { timeout: 10_000 });
});

test.each([
  ["none", { type: "created", path: 7 }],
  ["of a path that leads elsewhere", change("created", "a/../../b")],
  ["of a path in bytes that leads elsewhere", { ...change("created", "a"), pathBytes: btoa("../b") }],
  ["of a path that is too long", change("created", "x".repeat(5_000))],
])("a change that is %s makes the sandbox one that is not trusted", async (_, told) => {
  const { untrusted, listen, asked } = eventsOf(async function* () {
    yield told as FsChange;
  });
  listen();
  await vi.waitFor(() => expect(untrusted).toHaveLength(1));
  expect(asked).toHaveLength(1);
});
