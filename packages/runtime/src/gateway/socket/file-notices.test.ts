/** Feared: a client that stops reading and for which every change of a file is kept. */
import { expect, test } from "vitest";
import { EventBus } from "../../events/event-bus.ts";
import { FileNotices } from "./file-notices.ts";
import type { Outlet } from "./outlet.ts";

/** What waits for a client, and is taken when the test says so. */
function outlet() {
  const waiting = new Map<string, () => readonly string[]>();
  const stands = {
    notifyAll: (key: string, take: () => readonly string[]) => waiting.set(key, take),
    withdraw: (key: string) => waiting.delete(key),
  };
  const take = () => {
    const packets = [...waiting.values()].flatMap((each) => each());
    waiting.clear();
    return packets.map((packet) => JSON.parse(packet.slice(1)) as unknown);
  };
  return { outlet: stands as unknown as Outlet, take, waiting };
}

test("a client that reads gets every change, one that does not gets those of a path as one, or a resync", () => {
  const bus = new EventBus();
  const { outlet: out, take, waiting } = outlet();
  const notices = new FileNotices("s", bus, out);
  const tell = (type: "created" | "modified" | "deleted", path: string, sessionId = "s") =>
    bus.emit(`session:file:${type}`, { sessionId, file: { path, entryType: "file" } });
  tell("created", "a");
  tell("modified", "a");
  tell("created", "b", "other");
  const file = (path: string) => ({ sessionId: "s", file: { path, entryType: "file" } });
  expect(take()).toEqual([["session:file:created", file("a")]]);

  for (let n = 0; n <= 1_000; n += 1) tell("created", `many/${n}`);
  tell("deleted", "a");
  expect(take()).toEqual([
    ["session:file:resync", { sessionId: "s" }],
    ["session:file:deleted", file("a")],
  ]);

  bus.emit("session:file:resync", { sessionId: "s" });
  notices.close();
  tell("created", "c");
  expect(waiting.size).toBe(0);
  expect(bus.isHeard(["session:file:created", "session:file:resync"], "s")).toBe(false);
});
